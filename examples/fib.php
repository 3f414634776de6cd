<?php
// Fibonacci numbers: by recursion, and by a loop that runs on until integers overflow to floats.

function fib($n)
{
    if ($n < 2) {
        return $n;
    }
    return fib($n - 1) + fib($n - 2);
}

function fib_loop($n)
{
    $a = 0;
    $b = 1;
    while ($n > 0) {
        $next = $a + $b;
        $a = $b;
        $b = $next;
        $n--;
    }
    return $a;
}

echo fib(25), "\n";
echo fib_loop(25), "\n";
echo fib_loop(92), "\n";
echo fib_loop(93), "\n";
echo fib_loop(1000), "\n";
