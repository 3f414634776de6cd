/* Error and exception objects: PHP's Throwable classes, their methods and their text.

   Follows zend_exceptions.c: the class hierarchy, Exception::__construct, Exception::__toString. An error takes file, line
   and trace where it is made; the trace may grow while it unwinds (trace.c). */
#include "array_internal.h"
#include "exceptions.h"

typedef struct throwable_class {
    const char *name;
    const char *parent;
} throwable_class;

static const throwable_class classes[] = {{"Throwable", NULL}, {"Exception", "Throwable"}, {"Error", "Throwable"},
    {"ErrorException", "Exception"}, {"CompileError", "Error"}, {"ParseError", "CompileError"}, {"TypeError", "Error"},
    {"ArgumentCountError", "TypeError"}, {"ValueError", "Error"}, {"ArithmeticError", "Error"},
    {"DivisionByZeroError", "ArithmeticError"}, {"UnhandledMatchError", "Error"}, {"JsonException", "Exception"},
    {"LogicException", "Exception"}, {"BadFunctionCallException", "LogicException"},
    {"BadMethodCallException", "BadFunctionCallException"}, {"DomainException", "LogicException"},
    {"InvalidArgumentException", "LogicException"}, {"LengthException", "LogicException"},
    {"OutOfRangeException", "LogicException"}, {"RuntimeException", "Exception"},
    {"OutOfBoundsException", "RuntimeException"}, {"OverflowException", "RuntimeException"},
    {"RangeException", "RuntimeException"}, {"UnderflowException", "RuntimeException"},
    {"UnexpectedValueException", "RuntimeException"}};

static const throwable_class *find_class(const char *name)
{
    if (name[0] == '\\')
        name++;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (s2l_order_names(classes[i].name, name, strlen(name)) == 0)
            return &classes[i];
    }
    return NULL;
}

static bool is_subclass(const char *name, const char *ancestor)
{
    const throwable_class *wanted = find_class(ancestor);
    for (const throwable_class *class = find_class(name); class != NULL && wanted != NULL;
         class = class->parent != NULL ? find_class(class->parent) : NULL) {
        if (class == wanted)
            return true;
    }
    return false;
}

s2l_throwable *s2l_throwable_new(s2l_context *context, const char *class_name, s2l_string *message)
{
    s2l_throwable *error = s2l_allocate(context, sizeof *error);
    memset(error, 0, sizeof *error);
    error->refcount = 1;
    error->kind = S2L_TAG_OBJECT;
    error->class_name = class_name;
    error->message = message;
    error->previous = null_value();
    error->file = s2l_current_file(context);
    error->line = s2l_current_line(context);
    error->trace = s2l_text_start(context).string;
    context->live++;
    return error;
}

void s2l_throwable_free(s2l_context *context, s2l_throwable *error)
{
    string_drop(context, error->message);
    string_drop(context, error->trace);
    if (error->text != NULL)
        string_drop(context, error->text);
    s2l_value_drop(context, error->previous);
    context->live--;
    s2l_free(context, error, sizeof *error);
}

/* The place in the text of an argument error is the callee's: PHP says so after the caller's. */
static bool tells_caller(const s2l_throwable *error)
{
    return is_subclass(error->class_name, "TypeError") && strstr(string_bytes(error->message), ", called in ") != NULL;
}

void s2l_throwable_head(s2l_text *text, const s2l_throwable *error)
{
    s2l_text_cstring(text, error->class_name);
    if (error->message->length > 0) {
        s2l_text_cstring(text, ": ");
        s2l_text_bytes(text, string_bytes(error->message), error->message->length);
    }
    if (tells_caller(error))
        s2l_text_cstring(text, " and defined");
    s2l_text_cstring(text, " in ");
    s2l_text_cstring(text, error->file);
    s2l_text_cstring(text, ":");
    s2l_text_long(text, error->line);
}

static void write_trace(s2l_text *text, const s2l_throwable *error)
{
    s2l_text_bytes(text, string_bytes(error->trace), error->trace->length);
    s2l_text_cstring(text, "#");
    s2l_text_long(text, error->trace_depth);
    s2l_text_cstring(text, " {main}");
}

static const s2l_throwable *previous_of(const s2l_throwable *error)
{
    return error->previous.tag == S2L_TAG_OBJECT ? as_throwable(error->previous) : NULL;
}

void s2l_throwable_text(s2l_text *text, const s2l_throwable *error)
{
    /* The first cause first. */
    if (previous_of(error) != NULL) {
        s2l_throwable_text(text, previous_of(error));
        s2l_text_cstring(text, "\n\nNext ");
    }
    s2l_throwable_head(text, error);
    s2l_text_cstring(text, "\nStack trace:\n");
    write_trace(text, error);
}

bool s2l_instanceof(s2l_value value, const char *class_name)
{
    return value.tag == S2L_TAG_OBJECT && is_subclass(as_throwable(value)->class_name, class_name);
}

bool s2l_pending_is(s2l_context *context, const char *class_name)
{
    return context->pending == S2L_PENDING_THROW && is_subclass(context->hidden->error->class_name, class_name);
}

s2l_value s2l_catch(s2l_context *context)
{
    s2l_throwable *error = context->hidden->error;
    context->hidden->error = NULL;
    context->pending = S2L_PENDING_NONE;
    return pointer_value(error, S2L_TAG_OBJECT);
}

void s2l_throw_value(s2l_context *context, s2l_value value)
{
    if (value.tag != S2L_TAG_OBJECT) {
        s2l_throw(context, "Error", "Can only throw objects");
        s2l_value_drop(context, value);
        return;
    }
    if (context->pending != S2L_PENDING_NONE) {
        s2l_value_drop(context, value);
        return;
    }
    context->hidden->error = as_throwable(value);
    context->pending = S2L_PENDING_THROW;
}

static bool has_cause(const s2l_throwable *error, const s2l_throwable *cause)
{
    while ((error = previous_of(error)) != NULL) {
        if (error == cause)
            return true;
    }
    return false;
}

void s2l_chain_cause(s2l_context *context, s2l_value *kept)
{
    s2l_value cause = *kept;
    *kept = (s2l_value){0, S2L_TAG_UNDEF};
    if (cause.tag != S2L_TAG_OBJECT)
        return;
    s2l_throwable *error = context->pending == S2L_PENDING_THROW ? context->hidden->error : NULL;
    /* To the end of the chain, unless that would close a ring (zend_exception_set_previous). */
    while (error != NULL && error != as_throwable(cause) && !has_cause(as_throwable(cause), error)) {
        if (error->previous.tag != S2L_TAG_OBJECT) {
            error->previous = cause;
            error->chained = true;
            return;
        }
        error = as_throwable(error->previous);
    }
    s2l_value_drop(context, cause);
}

s2l_value s2l_new_throwable(s2l_context *context, const char *class_name, uint32_t argc, const s2l_value *argv)
{
    const throwable_class *class = find_class(class_name);
    if (class == NULL) {
        s2l_throw_format(context, "Error", "Class \"%s\" not found", class_name);
        return error_value();
    }
    if (class->parent == NULL) {
        s2l_throw_format(context, "Error", "Cannot instantiate interface %s", class->name);
        return error_value();
    }
    const char *root = is_subclass(class->name, "Error") ? "Error::__construct" : "Exception::__construct";
    s2l_arguments arguments = {context, root, argc, argv, false, 0, {NULL}};
    s2l_string *message = s2l_string_empty();
    int64_t code = 0;
    if (!s2l_check_count(&arguments, 0, 3) || !s2l_take_optional_string(&arguments, 0, "message", &message)
        || !s2l_take_optional_long(&arguments, 1, "code", &code))
        return s2l_done(&arguments, error_value());
    s2l_value previous = argc > 2 ? argv[2] : null_value();
    if (previous.tag > S2L_TAG_NULL && previous.tag != S2L_TAG_OBJECT)
        return s2l_done(&arguments,
            s2l_throw_in(context, root, "TypeError", "%s(): Argument #3 ($previous) must be of type ?Throwable, %s given",
                root, s2l_type_name(previous)));
    s2l_throwable *error = s2l_throwable_new(context, class->name, string_dup(message));
    s2l_trace_start(context, error, NULL);
    error->code = code;
    error->previous = dup(previous);
    return s2l_done(&arguments, pointer_value(error, S2L_TAG_OBJECT));
}

s2l_string *s2l_throwable_string(s2l_context *context, s2l_throwable *error)
{
    s2l_text text = s2l_text_start(context);
    s2l_throwable_text(&text, error);
    if (error->text != NULL)
        string_drop(context, error->text);
    error->text = s2l_text_finish(&text);
    return error->text;
}

static s2l_value text_value(s2l_context *context, const char *text)
{
    return string_value(s2l_string_new(context, text, strlen(text)));
}

static s2l_value get_trace_as_string(s2l_context *context, const s2l_throwable *error)
{
    s2l_text text = s2l_text_start(context);
    write_trace(&text, error);
    return string_value(s2l_text_finish(&text));
}

s2l_value s2l_call_method(
    s2l_context *context, s2l_value object, const s2l_string *name, uint32_t argc, const s2l_value *argv)
{
    (void)argv;
    const char *method = string_bytes(name);
    if (object.tag != S2L_TAG_OBJECT) {
        s2l_throw_format(context, "Error", "Call to a member function %s() on %s", method, s2l_type_name(object));
        return error_value();
    }
    s2l_throwable *error = as_throwable(object);
    static const char *const methods[]
        = {"getMessage", "getCode", "getPrevious", "getFile", "getLine", "getTraceAsString", "__toString"};
    static const char *const of_error[] = {"Error::getMessage", "Error::getCode", "Error::getPrevious", "Error::getFile",
        "Error::getLine", "Error::getTraceAsString", "Error::__toString"};
    static const char *const of_exception[] = {"Exception::getMessage", "Exception::getCode", "Exception::getPrevious",
        "Exception::getFile", "Exception::getLine", "Exception::getTraceAsString", "Exception::__toString"};
    size_t index = 0;
    size_t count = sizeof methods / sizeof methods[0];
    while (index < count && s2l_order_names(methods[index], method, name->length) != 0)
        index++;
    if (index == count) {
        s2l_throw_format(context, "Error", "Call to undefined method %s::%s()", error->class_name, method);
        return error_value();
    }
    if (argc > 0) {
        const char *full = is_subclass(error->class_name, "Error") ? of_error[index] : of_exception[index];
        return s2l_throw_in(context, full, "ArgumentCountError", "%s() expects exactly 0 arguments, %u given", full,
            (unsigned)argc);
    }
    switch (index) {
    case 0:
        return string_value(string_dup(error->message));
    case 1:
        return long_value(error->code);
    case 2:
        return dup(error->previous);
    case 3:
        return text_value(context, error->file);
    case 4:
        return long_value(error->line);
    case 5:
        return get_trace_as_string(context, error);
    default:
        return string_value(string_dup(s2l_throwable_string(context, error)));
    }
}

BUILTIN(get_class)
{
    TAKE(get_class, 1, 1);
    if (argv[0].tag != S2L_TAG_OBJECT)
        return s2l_throw_in(context, "get_class", "TypeError",
            "get_class(): Argument #1 ($object) must be of type object, %s given", s2l_type_name(argv[0]));
    return text_value(context, as_throwable(argv[0])->class_name);
}
