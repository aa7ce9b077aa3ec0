"""One use case a file: asks models, applies a metric, returns a result of ``core.results``."""
