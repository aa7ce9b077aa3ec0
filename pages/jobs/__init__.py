"""The page of the runs of this server."""
