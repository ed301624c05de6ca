"""The only room that knows git: objects, references, fetches, operations."""
