/* md5 (RFC 1321), sha1 (FIPS 180-4) and crc32 (ISO 3309, reflected polynomial 0xEDB88320). */
#include "internal.h"

#define BLOCK 64
#define LENGTH_AT 56
#define MD5_DIGEST 16
#define SHA1_DIGEST 20

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

static const uint8_t rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t load_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void md5_block(uint32_t state[4], const uint8_t *block)
{
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    for (uint32_t step = 0; step < 64; step++) {
        uint32_t round = step / 16;
        uint32_t mix;
        uint32_t word;
        if (round == 0) {
            mix = (b & c) | (~b & d);
            word = step;
        } else if (round == 1) {
            mix = (d & b) | (~d & c);
            word = 5 * step + 1;
        } else if (round == 2) {
            mix = b ^ c ^ d;
            word = 3 * step + 5;
        } else {
            mix = c ^ (b | ~d);
            word = 7 * step;
        }
        uint32_t sum = a + mix + sines[step] + load_word(block + word % 16 * 4);
        uint32_t rotation = rotations[round][step % 4];
        a = d;
        d = c;
        c = b;
        b += sum << rotation | sum >> (32 - rotation);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void store_words(uint8_t *target, uint64_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        target[i] = (uint8_t)(value >> 8 * i);
}

static void md5(const uint8_t *bytes, uint64_t length, uint8_t digest[MD5_DIGEST])
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint64_t whole = length / BLOCK * BLOCK;
    for (uint64_t at = 0; at < whole; at += BLOCK)
        md5_block(state, bytes + at);
    uint8_t tail[2 * BLOCK] = {0};
    uint64_t rest = length - whole;
    memcpy(tail, bytes + whole, rest);
    tail[rest] = 0x80;
    uint64_t size = rest < LENGTH_AT ? BLOCK : 2 * BLOCK;
    store_words(tail + size - 8, length * 8, 8);
    for (uint64_t at = 0; at < size; at += BLOCK)
        md5_block(state, tail + at);
    for (uint32_t i = 0; i < 4; i++)
        store_words(digest + 4 * i, state[i], 4);
}

static uint32_t rotate(uint32_t word, uint32_t bits)
{
    return word << bits | word >> (32 - bits);
}

static void sha1_block(uint32_t state[5], const uint8_t *block)
{
    uint32_t words[80];
    for (uint32_t i = 0; i < 16; i++)
        words[i] = __builtin_bswap32(load_word(block + 4 * i));
    for (uint32_t i = 16; i < 80; i++)
        words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    uint32_t e = state[4];
    for (uint32_t i = 0; i < 80; i++) {
        static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t mix = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
        uint32_t sum = rotate(a, 5) + mix + e + constants[i / 20] + words[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = sum;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void sha1(const uint8_t *bytes, uint64_t length, uint8_t digest[SHA1_DIGEST])
{
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint64_t whole = length / BLOCK * BLOCK;
    for (uint64_t at = 0; at < whole; at += BLOCK)
        sha1_block(state, bytes + at);
    uint8_t tail[2 * BLOCK] = {0};
    uint64_t rest = length - whole;
    memcpy(tail, bytes + whole, rest);
    tail[rest] = 0x80;
    uint64_t size = rest < LENGTH_AT ? BLOCK : 2 * BLOCK;
    store_words(tail + size - 8, __builtin_bswap64(length * 8), 8);
    for (uint64_t at = 0; at < size; at += BLOCK)
        sha1_block(state, tail + at);
    for (uint32_t i = 0; i < 5; i++)
        store_words(digest + 4 * i, __builtin_bswap32(state[i]), 4);
}

/* A digest function of $string: hexadecimal text, or the bytes themselves for $binary. */
static s2l_value hash(
    s2l_arguments *arguments, uint64_t size, void (*function)(const uint8_t *, uint64_t, uint8_t *))
{
    static const char digits[] = "0123456789abcdef";
    s2l_string *string;
    bool binary = false;
    if (!s2l_take_string(arguments, 0, "string", &string)
        || !s2l_take_optional_bool(arguments, 1, "binary", &binary))
        return s2l_done(arguments, error_value());
    uint8_t digest[SHA1_DIGEST];
    char text[2 * SHA1_DIGEST];
    function((const uint8_t *)string_bytes(string), string->length, digest);
    for (uint64_t i = 0; i < size; i++) {
        text[2 * i] = digits[digest[i] >> 4];
        text[2 * i + 1] = digits[digest[i] & 15];
    }
    s2l_string *result = binary ? s2l_string_new(arguments->context, (const char *)digest, size)
                                : s2l_string_new(arguments->context, text, 2 * size);
    return s2l_done(arguments, string_value(result));
}

BUILTIN(md5)
{
    TAKE(md5, 1, 2);
    return hash(&arguments, MD5_DIGEST, md5);
}

BUILTIN(sha1)
{
    TAKE(sha1, 1, 2);
    return hash(&arguments, SHA1_DIGEST, sha1);
}

/* Remainders of the sixteen half bytes. */
static const uint32_t half_bytes[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

BUILTIN(crc32)
{
    TAKE(crc32, 1, 1);
    s2l_string *string;
    if (!s2l_take_string(&arguments, 0, "string", &string))
        return error_value();
    uint32_t remainder = UINT32_MAX;
    for (uint64_t i = 0; i < string->length; i++) {
        remainder ^= (uint8_t)string_bytes(string)[i];
        remainder = remainder >> 4 ^ half_bytes[remainder & 15];
        remainder = remainder >> 4 ^ half_bytes[remainder & 15];
    }
    return s2l_done(&arguments, long_value((int64_t)(remainder ^ UINT32_MAX)));
}
