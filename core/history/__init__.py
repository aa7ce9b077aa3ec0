"""Every finished run, kept: in a database on the user's disk, or one that a team shares."""
