"""What PHP 8.2's values do, in one place: conversion, comparison, arithmetic, formatting, arrays, and the builtin
table.

The front end's constant folding, inference, the folding passes and the interpreter all ask here. PHP is the oracle:
tests/values compares every operation with the ``php`` binary.
"""
