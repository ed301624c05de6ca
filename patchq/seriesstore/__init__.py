"""The only room that knows the series folder on disk: YAML, paths, atomic writes."""
