"""ssa2llvm: PHP opcodes to SSA, e-SSA, LLVM IR and native code.

The names below are stable. They are imported when first used, so that ``import ssa2llvm`` costs nothing and the
laboratory works without LLVM.

    Loading         load_any, compile_php, FunctionBuilder, script_of
    Looking         build_cfg, build_ssa, verify, infer, infer_script, print_zend_text, print_zir
    Optimizing      build_program, Pipeline, Pass, TABLE, register_pass, level_names
    Leaving SSA     destruct_function
    Running         run_script (interpreter), compile_program (JIT), emit (files), load (functions as Python
    callables)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssa2llvm.analysis.infer import infer
    from ssa2llvm.analysis.infer_script import infer_script
    from ssa2llvm.api import Library, compile_file, load
    from ssa2llvm.cfg.build import build_cfg
    from ssa2llvm.destruct.destruct import destruct as destruct_function
    from ssa2llvm.formats.load import load_any
    from ssa2llvm.formats.zend_printer import print_zend_text
    from ssa2llvm.formats.zir_printer import print_zir
    from ssa2llvm.interp.run import run_script
    from ssa2llvm.ir.builder import FunctionBuilder, script_of
    from ssa2llvm.ir.config import Config
    from ssa2llvm.ir.diagnostics import CompileError
    from ssa2llvm.ir.opcode import Opcode
    from ssa2llvm.llvm.driver import compile_program, emit
    from ssa2llvm.opt.pass_table import Pass
    from ssa2llvm.opt.pipeline import Pipeline, level_names
    from ssa2llvm.opt.standard import TABLE, register_pass
    from ssa2llvm.opt.unit import build_program
    from ssa2llvm.php import compile_php
    from ssa2llvm.ssa.build import build_ssa
    from ssa2llvm.ssa.verifier import verify

__version__ = "0.1.0"

_HOME = {
    "CompileError": "ir.diagnostics",
    "Config": "ir.config",
    "FunctionBuilder": "ir.builder",
    "Library": "api",
    "Opcode": "ir.opcode",
    "Pass": "opt.pass_table",
    "Pipeline": "opt.pipeline",
    "TABLE": "opt.standard",
    "build_cfg": "cfg.build",
    "build_program": "opt.unit",
    "build_ssa": "ssa.build",
    "compile_file": "api",
    "compile_php": "php",
    "compile_program": "llvm.driver",
    "destruct_function": "destruct.destruct:destruct",
    "emit": "llvm.driver",
    "infer": "analysis.infer",
    "infer_script": "analysis.infer_script",
    "level_names": "opt.pipeline",
    "load": "api",
    "load_any": "formats.load",
    "print_zend_text": "formats.zend_printer",
    "print_zir": "formats.zir_printer",
    "register_pass": "opt.standard",
    "run_script": "interp.run",
    "script_of": "ir.builder",
    "verify": "ssa.verifier",
}

__all__ = [
    "TABLE",
    "CompileError",
    "Config",
    "FunctionBuilder",
    "Library",
    "Opcode",
    "Pass",
    "Pipeline",
    "build_cfg",
    "build_program",
    "build_ssa",
    "compile_file",
    "compile_php",
    "compile_program",
    "destruct_function",
    "emit",
    "infer",
    "infer_script",
    "level_names",
    "load",
    "load_any",
    "print_zend_text",
    "print_zir",
    "register_pass",
    "run_script",
    "script_of",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its room at first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'ssa2llvm' has no attribute '{name}'")
    module, _, attribute = _HOME[name].partition(":")
    return getattr(importlib.import_module(f"ssa2llvm.{module}"), attribute or name)
