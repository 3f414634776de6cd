"""The same graph and SSA algorithms on LLVM IR text."""
