"""What a series does: plan, replay, refresh, check."""
