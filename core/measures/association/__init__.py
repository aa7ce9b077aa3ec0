"""Association tests: WEAT, SEAT, CEAT, and LPBS in their manner."""
