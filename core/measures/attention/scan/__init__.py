"""A corpus scan: attention bias of every fitting sentence of a file."""
