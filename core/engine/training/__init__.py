"""Training: small networks on frozen vectors, and masked models on texts."""
