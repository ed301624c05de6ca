"""The nouns of patchq: frozen values that every other room speaks in."""
