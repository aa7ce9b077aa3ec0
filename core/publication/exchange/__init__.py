"""Results in the forms that others read: Every Eval Ever, a model card of Hugging Face, a report of AVID."""
