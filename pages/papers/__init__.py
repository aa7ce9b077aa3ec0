"""The page of the papers: the card that is chosen."""
