"""The reference interpreter: slow, obvious, the oracle. Runs the linear, SSA, owned and destructed form of a
program.
"""
