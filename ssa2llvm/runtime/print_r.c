/* print_r. Follows zend.c: zend_print_zval_r_to_buf and print_hash. */
#include "array_internal.h"

#define STEP 8

static void print_value(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain);

static void print_array(s2l_text *text, const s2l_array *array, uint64_t indent, const s2l_enclosing *chain)
{
    s2l_text_cstring(text, "Array\n");
    if (s2l_is_open(chain, array)) {
        s2l_text_cstring(text, " *RECURSION*");
        return;
    }
    s2l_enclosing inner = {chain, array};
    s2l_text_fill(text, ' ', indent);
    s2l_text_cstring(text, "(\n");
    uint64_t positions = position_count(array);
    for (uint64_t i = 0; i < positions; i++) {
        s2l_value value = raw_element(array, i);
        s2l_key key = key_at(array, i);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        s2l_text_fill(text, ' ', indent + STEP / 2);
        s2l_text_cstring(text, "[");
        if (key.string != NULL)
            s2l_text_bytes(text, string_bytes(key.string), key.string->length);
        else
            s2l_text_long(text, key.number);
        s2l_text_cstring(text, "] => ");
        print_value(text, value, indent + STEP, &inner);
        s2l_text_cstring(text, "\n");
    }
    s2l_text_fill(text, ' ', indent);
    s2l_text_cstring(text, ")\n");
}

static void print_value(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain)
{
    value = dereference(value);
    if (value.tag == S2L_TAG_ARRAY) {
        print_array(text, as_array(value), indent, chain);
        return;
    }
    if (value.tag == S2L_TAG_OBJECT)
        s2l_fatal(text->context, "ssa2llvm: printing the inside of an object is not supported");
    char scratch[S2L_SCRATCH_SIZE];
    s2l_bytes bytes = s2l_bytes_of(text->context, value, scratch);
    s2l_text_bytes(text, bytes.bytes, bytes.length);
}

BUILTIN(print_r)
{
    TAKE(print_r, 1, 2);
    s2l_text text = s2l_text_start(context);
    print_value(&text, argv[0], 0, NULL);
    return s2l_print_or_return(&arguments, &text, bool_value(true));
}
