/* Values that exchange places each turn: swaps and rotations, the hard cases of out-of-SSA. */

static long fibonacci(long n)
{
    long a = 0, b = 1;
    for (long i = 0; i < n % 60; i++) {
        long t = a + b;
        a = b;
        b = t;
    }
    return a;
}

static long rotate(long n)
{
    long a = 1, b = 2, c = 3, d = 4;
    for (long i = 0; i < n; i++) {
        long t = a;
        a = b;
        b = c;
        c = t;
        if (i % 3 == 1) {
            t = d;
            d = a;
            a = t;
        }
    }
    return ((a * 10 + b) * 10 + c) * 10 + d;
}

static long last(long n)
{
    long old = 0, x = 1;
    do {
        old = x;
        x = x * 3 % 1001;
    } while (x % 7 && --n > 0);
    return old * 2000 + x;
}

long test(long n)
{
    return fibonacci(n) + rotate(n) * 1000 + last(n);
}
