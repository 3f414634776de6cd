/* Exceptions as values; the words of api.h (borrowed, consumed, owned, fails) hold here too.

   A thrown error is a counted object of one of PHP's own Throwable classes (there are no user classes yet). While it is
   pending it belongs to the context; `catch` makes it a value. Only what is pending by a throw (S2L_PENDING_THROW) can be
   caught: exit passes every handler. Class names may have any case and a leading backslash. */
#ifndef S2L_EXCEPTIONS_H
#define S2L_EXCEPTIONS_H

#include "layout.h"

/* Whether the pending error is an instance of the class: what CATCH asks. */
bool s2l_pending_is(s2l_context *context, const char *class_name);
/* The pending error as a value, owned; nothing is pending then. For catch, and for finally, which throws it again. */
s2l_value s2l_catch(s2l_context *context);
/* `throw value` (consumed); Error "Can only throw objects" for anything else. The caller then unwinds. */
void s2l_throw_value(s2l_context *context, s2l_value value);
/* An error leaves a finally: what led into it (in `kept`, its temporary, undefined afterwards) becomes the first cause of
   the pending one if it was an error itself, and is forgotten if an exit is pending. */
void s2l_chain_cause(s2l_context *context, s2l_value *kept);
/* new CLASS($message, $code, $previous), owned. Fails: unknown class, wrong arguments. */
s2l_value s2l_new_throwable(s2l_context *context, const char *class_name, uint32_t argc, const s2l_value *argv);
/* $object->name(...), owned. Fails: no object, no such method. */
s2l_value s2l_call_method(
    s2l_context *context, s2l_value object, const s2l_string *name, uint32_t argc, const s2l_value *argv);
bool s2l_instanceof(s2l_value value, const char *class_name);

#endif
