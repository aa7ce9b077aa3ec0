"""Any measure on a model and on those made from it: what changed, how surely, against a control, and at what price."""
