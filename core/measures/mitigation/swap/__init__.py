"""Counterfactual data substitution: a file with its genders swapped."""
