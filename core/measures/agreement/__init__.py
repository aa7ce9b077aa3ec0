"""Agreement of templates, representations and metrics."""
