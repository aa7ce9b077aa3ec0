"""The papers this program follows: what each table and figure prints, and the same measurement on any model.

A paper is a module of this package with a ``PAPER``, and a file of the same name in ``assets/data/papers`` with what it
prints (``printed.py`` says how). Nothing else has to know of it.
"""
