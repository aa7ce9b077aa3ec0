"""What can be done about a bias, and what it changes."""
