/* Switches with shared cases, short circuits, gotos into loops (irreducible), early returns. */

static long classify(long n)
{
    long r;
    switch (n % 11) {
    case 0:
    case 1:
    case 5:
        r = 10;
        break;
    case 2:
        r = 20;
        /* fall through */
    case 3:
        r = n;
        break;
    case 7:
        return -7;
    default:
        r = 1;
    }
    return r * 3;
}

static long irreducible(long n)
{
    long odd = 0, even = 0;
    if (n & 1) {
        goto in_odd;
    }
in_even:
    even++;
    n--;
    if (n < 0) {
        goto done;
    }
in_odd:
    odd += 2;
    n -= 2;
    if (n > 0) {
        goto in_even;
    }
done:
    return odd * 100 + even;
}

static int seen;

static int note(int value)
{
    seen = seen * 3 + value;
    return value & 1;
}

static long circuits(int n)
{
    seen = 0;
    int r = (note(n) && note(n + 1)) || (note(n + 2) && !note(n + 3));
    return seen * 2L + r;
}

long test(long n)
{
    return classify(n) * 1000000 + irreducible(n) * 1000 + circuits((int)n);
}
