"""Log probability bias scores."""
