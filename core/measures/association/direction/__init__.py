"""The direction in which pairs such as she and he differ, and how words lie along it."""
