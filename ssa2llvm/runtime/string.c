/* Counted byte strings: making, freeing, growing, hashing.

   Layout (layouts.py): head, `length` bytes, NUL. Lengths 0 and 1 are immortal constants, as in Zend, so that `$s[$i]`,
   chr() and single digits allocate nothing. Growing doubles the room (half as much again beyond 1 MiB), so that n
   appends cost O(n) copies in all; Zend instead relies on realloc in place. */
#include "internal.h"

#define STRING_SIZE(capacity) (sizeof(s2l_string) + (capacity) + 1)
#define LENGTH_LIMIT ((uint64_t)1 << 46)
#define DOUBLING_LIMIT ((uint64_t)1 << 20)

#define HASH_START UINT64_C(5381)
#define HASH_TOP_BIT (UINT64_C(1) << 63)
#define BYTE_HASH(byte) ((HASH_START * 33 + (byte)) | HASH_TOP_BIT)
#define BYTE(byte) {{S2L_IMMORTAL, S2L_TAG_STRING, BYTE_HASH(byte), 1, 1}, {(char)(byte)}}
#define BYTES4(byte) BYTE(byte), BYTE((byte) + 1), BYTE((byte) + 2), BYTE((byte) + 3)
#define BYTES16(byte) BYTES4(byte), BYTES4((byte) + 4), BYTES4((byte) + 8), BYTES4((byte) + 12)
#define BYTES64(byte) BYTES16(byte), BYTES16((byte) + 16), BYTES16((byte) + 32), BYTES16((byte) + 48)

s2l_byte_string s2l_one_byte_strings[256] = {BYTES64(0), BYTES64(64), BYTES64(128), BYTES64(192)};
static s2l_byte_string no_byte = {{S2L_IMMORTAL, S2L_TAG_STRING, HASH_START | HASH_TOP_BIT, 0, 0}, {0}};

s2l_string *s2l_string_empty(void)
{
    return &no_byte.head;
}

s2l_string *s2l_string_of_byte(uint8_t byte)
{
    return one_byte_string(byte);
}

s2l_string *s2l_string_allocate(s2l_context *context, uint64_t length)
{
    if (UNLIKELY(length > LENGTH_LIMIT))
        s2l_fatal(context, "Possible integer overflow in memory allocation");
    uint64_t size = s2l_block_size(STRING_SIZE(length));
    s2l_string *string = s2l_allocate(context, size);
    string->refcount = 1;
    string->kind = S2L_TAG_STRING;
    string->hash = S2L_NO_HASH;
    string->length = length;
    string->capacity = size - STRING_SIZE(0);
    string_bytes(string)[length] = '\0';
    context->live++;
    return string;
}

s2l_string *s2l_string_new(s2l_context *context, const char *bytes, uint64_t length)
{
    if (length == 0)
        return s2l_string_empty();
    if (length == 1)
        return one_byte_string((uint8_t)bytes[0]);
    s2l_string *string = s2l_string_allocate(context, length);
    memcpy(string_bytes(string), bytes, length);
    return string;
}

void s2l_string_free(s2l_context *context, s2l_string *string)
{
    context->live--;
    s2l_free(context, string, STRING_SIZE(string->capacity));
}

s2l_string *s2l_string_reserve(s2l_context *context, s2l_string *string, uint64_t capacity)
{
    if (string->refcount != 1) {
        /* Room to grow again: a string that is appended to once is likely to be appended to again. */
        s2l_string *copy = s2l_string_allocate(context, capacity + capacity / 2);
        copy->length = string->length;
        memcpy(string_bytes(copy), string_bytes(string), string->length + 1);
        string_drop(context, string);
        return copy;
    }
    string->hash = S2L_NO_HASH;
    if (capacity <= string->capacity)
        return string;
    if (UNLIKELY(capacity > LENGTH_LIMIT))
        s2l_fatal(context, "Possible integer overflow in memory allocation");
    uint64_t wanted = string->capacity < DOUBLING_LIMIT ? string->capacity * 2 : string->capacity + string->capacity / 2;
    uint64_t size = s2l_block_size(STRING_SIZE(wanted > capacity ? wanted : capacity));
    string = s2l_reallocate(context, string, STRING_SIZE(string->capacity), size);
    string->capacity = size - STRING_SIZE(0);
    return string;
}

void s2l_string_set_length(s2l_string *string, uint64_t length)
{
    string->length = length;
    string->hash = S2L_NO_HASH;
    string_bytes(string)[length] = '\0';
}

uint64_t s2l_string_hash(s2l_string *string)
{
    if (string->hash != S2L_NO_HASH)
        return string->hash;
    const uint8_t *bytes = (const uint8_t *)string_bytes(string);
    uint64_t hash = HASH_START;
    for (uint64_t i = 0; i < string->length; i++)
        hash = hash * 33 + bytes[i];
    hash |= HASH_TOP_BIT;
    /* Immortal strings lie in read-only memory and are emitted with their hash. */
    if (string->refcount >= 0)
        string->hash = hash;
    return hash;
}

bool s2l_string_is_identical(const s2l_string *left, const s2l_string *right)
{
    if (left == right)
        return true;
    /* Most strings that differ do so in length or in their first byte (which is there: the NUL at least). */
    return left->length == right->length && string_bytes(left)[0] == string_bytes(right)[0]
        && memcmp(string_bytes(left), string_bytes(right), left->length) == 0;
}
