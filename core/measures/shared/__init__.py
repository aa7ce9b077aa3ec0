"""What several measures ask of models and words."""
