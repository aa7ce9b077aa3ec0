"""Fine-tuning a masked model on a text, with its control and its price."""
