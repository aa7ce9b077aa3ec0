"""What was pinned, made into a report: one page, its PDF, text, notebook, and a bundle that can be verified."""
