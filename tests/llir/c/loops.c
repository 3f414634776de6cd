/* Loops of every form, nested, with break, continue and values that cross them. */

static long gcd(long a, long b)
{
    while (b) {
        long t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static long collatz(long n)
{
    long steps = 0;
    do {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    } while (n > 1 && steps < 1000);
    return steps;
}

static long primes(long limit)
{
    long count = 0;
    for (long i = 2; i <= limit; i++) {
        long j;
        for (j = 2; j * j <= i; j++) {
            if (i % j == 0) {
                break;
            }
        }
        if (j * j <= i) {
            continue;
        }
        count++;
    }
    return count;
}

long test(long n)
{
    return gcd(n * 12, 18) * 10000 + collatz(n + 1) * 100 + primes(n);
}
