"""What models do in tasks that are built on them."""
