"""The page of the guided lessons."""
