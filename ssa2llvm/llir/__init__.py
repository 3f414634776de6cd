"""The project's graph, SSA and out-of-SSA algorithms on LLVM IR text: verify, dominators, construct, destruct."""
