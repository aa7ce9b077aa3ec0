"""Training: small networks on frozen vectors."""
