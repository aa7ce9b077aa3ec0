"""A model trained to tell labels of texts apart, so that what it became can be measured (Irani et al. 2020)."""
