#!/bin/sh
# Records what PHP 8.2 makes of the examples that stand here as opcodes too: its dump (*.zend) and its output (*.out).
# Run from the repository's root after changing an example.
set -eu
for name in collatz fib gcd mandelbrot; do
    base="examples/$name"
    source="$base.php"
    php -n -d zend_extension=opcache -d opcache.enable=1 -d opcache.enable_cli=1 \
        -d opcache.file_update_protection=0 -d log_errors=0 \
        -d opcache.optimization_level=0 -d opcache.opt_debug_level=0x10000 -l "$source" 2>"$base.zend" >/dev/null
    php -n -d opcache.enable=0 -d error_reporting=32767 -d display_errors=1 -d html_errors=0 -d log_errors=0 \
        -d precision=14 -d serialize_precision=-1 -d zend.exception_ignore_args=1 "$source" >"$base.out"
done
