"""The page of the history: its list, and what is done with chosen runs."""
