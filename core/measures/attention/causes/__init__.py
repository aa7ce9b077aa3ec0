"""Which heads cause what a model says: heads knocked out, or patched with their values from the gender-swapped twin."""
