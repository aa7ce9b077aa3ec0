"""A measure of one folder: nothing elsewhere knows of it, and it has a command, controls and saved results."""
