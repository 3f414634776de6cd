/* What must stay in memory: arrays, structs, addresses that get away, volatile and partial accesses. */

struct pair {
    int first;
    double second;
};

static void advance(long *where, struct pair *pair)
{
    *where += 3;
    pair->first += 1;
    pair->second *= 1.5;
}

static unsigned char low_byte(unsigned value)
{
    return *(unsigned char *)&value;
}

static long sort(long n)
{
    int array[16];
    for (int i = 0; i < 16; i++) {
        array[i] = (int)((n * 7 + i * 13) % 17);
    }
    for (int i = 1; i < 16; i++) {
        int x = array[i], j = i;
        for (; j > 0 && array[j - 1] > x; j--) {
            array[j] = array[j - 1];
        }
        array[j] = x;
    }
    long sum = 0;
    for (int i = 0; i < 16; i++) {
        sum = sum * 3 + array[i];
    }
    return sum;
}

long test(long n)
{
    long moving = n;
    struct pair pair = {(int)n, 1.0};
    for (int i = 0; i < 5; i++) {
        advance(&moving, &pair);
    }
    volatile long twice = moving;
    return sort(n) + twice + twice + pair.first + (long)pair.second + low_byte((unsigned)n * 300u);
}
