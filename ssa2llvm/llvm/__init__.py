"""Representation choice, lowering to LLVM IR, JIT and emission of native code, and the C runtime's build."""
