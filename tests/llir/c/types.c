/* Phis of every type: small and large integers, floats, pointers, booleans, strings. */

static const char *const names[] = {"zero", "one", "two", "many"};

static double average(long n)
{
    double sum = 0, weight = 1;
    float step = 0.5f;
    for (long i = 0; i < n; i++) {
        sum += (double)i * weight;
        weight = i % 2 ? weight * 0.75 : weight + step;
        step = step > 4 ? 0.25f : step * 2;
    }
    return n ? sum / (double)n : -1.5;
}

static unsigned long hash(const char *text)
{
    unsigned long h = 5381;
    for (const char *p = text; *p; p++) {
        h = h * 33 ^ (unsigned char)*p;
    }
    return h;
}

static _Bool parity(unsigned short bits)
{
    _Bool odd = 0;
    while (bits) {
        odd = !odd;
        bits &= bits - 1;
    }
    return odd;
}

static const char *name_of(long n)
{
    const char *name = names[3];
    if (n < 0) {
        name = "negative";
    } else if (n < 3) {
        name = names[n];
    }
    return name;
}

long test(long n)
{
    signed char narrow = (signed char)(n * 5);
    for (int i = 0; i < n; i++) {
        narrow = (signed char)(narrow < 0 ? narrow + 7 : narrow * 3);
    }
    return (long)(average(n) * 1000) + (long)(hash(name_of(n)) % 10007) * 3 + parity((unsigned short)n) + narrow;
}
