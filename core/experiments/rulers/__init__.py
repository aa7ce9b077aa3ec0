"""Do two templates, two representations, two metrics agree? An experiment a file."""
