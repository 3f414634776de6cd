/* Counting of values of any type, and reference cells.

   A counted object is one whose tag is at least STRING; its count is negative when it is immortal. `live` in the context
   counts the objects that exist, so that a program's end can prove that each was dropped. */
#include "internal.h"

void s2l_value_dup(s2l_value value)
{
    value_dup(value);
}

void s2l_value_drop(s2l_context *context, s2l_value value)
{
    value_drop(context, value);
}

void s2l_value_free(s2l_context *context, s2l_value value)
{
    switch (value.tag) {
    case S2L_TAG_STRING:
        s2l_string_free(context, as_string(value));
        break;
    case S2L_TAG_ARRAY:
        s2l_array_free(context, as_array(value));
        break;
    case S2L_TAG_OBJECT:
        s2l_throwable_free(context, as_throwable(value));
        break;
    case S2L_TAG_REFERENCE:
        s2l_reference_free(context, as_reference(value));
        break;
    default:
        break;
    }
}

void s2l_reference_free(s2l_context *context, s2l_reference *reference)
{
    s2l_value_drop(context, make_value(reference->payload, reference->tag));
    context->live--;
    s2l_free(context, reference, sizeof *reference);
}

s2l_reference *s2l_reference_new(s2l_context *context, s2l_value value)
{
    s2l_reference *reference = s2l_allocate(context, sizeof *reference);
    reference->refcount = 1;
    reference->kind = S2L_TAG_REFERENCE;
    reference->payload = value.payload;
    reference->tag = value.tag;
    context->live++;
    return reference;
}

void s2l_return_reference(s2l_context *context, s2l_reference *reference)
{
    s2l_forget_reference(context);
    context->hidden->returned = reference;
}

s2l_reference *s2l_returned_reference(s2l_context *context)
{
    s2l_reference *reference = context->hidden->returned;
    context->hidden->returned = NULL;
    return reference;
}

void s2l_forget_reference(s2l_context *context)
{
    s2l_reference *reference = s2l_returned_reference(context);
    if (reference != NULL)
        s2l_value_drop(context, pointer_value(reference, S2L_TAG_REFERENCE));
}

s2l_reference *s2l_cell_reference(s2l_context *context, uint64_t cell)
{
    s2l_value *value = &context->cells[cell];
    if (value->tag != S2L_TAG_REFERENCE) {
        if (value->tag == S2L_TAG_UNDEF)
            *value = null_value();
        *value = pointer_value(s2l_reference_new(context, *value), S2L_TAG_REFERENCE);
    }
    return as_reference(*value);
}
