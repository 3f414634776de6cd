/* The large stack: PHP recursion is as deep as memory, so programs run on a mapped stack of their own.

   The stack is reserved address space (pages come when touched) above a guard region that may not be touched. Generated
   code checks nothing: a fault inside the guard of the context that this thread is running means that the stack is used
   up, and the handler, which runs on an alternate stack, jumps back to where the large stack was entered. Objects alive
   then are freed with the context. Any other fault goes where it went before. The handler is installed while at least one
   stack is mapped. This is the only state outside contexts: signal handlers belong to the process.

   Switching is a few instructions of assembly for each machine; swapcontext would do two system calls a switch, and a
   library call switches twice. Under AddressSanitizer, which tracks the one stack it knows, code stays on that stack. */
#include "internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GUARD_SIZE ((uint64_t)1 << 20)
#define SMALLEST_STACK ((uint64_t)1 << 24)
#define SIGNAL_STACK_SIZE ((size_t)1 << 16)

#if defined(__SANITIZE_ADDRESS__)
#define SWITCHES_STACK 0
#else
#define SWITCHES_STACK 1
#endif

static _Thread_local s2l_context *running;

static pthread_mutex_t handler_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t mapped_stacks;
static struct sigaction previous_action;

static bool is_in_guard(const s2l_context *context, const void *address)
{
    const s2l_stack *stack = &context->hidden->stack;
    return (const char *)address >= stack->lowest && (const char *)address < stack->usable;
}

static void handle_fault(int signal_number, siginfo_t *info, void *machine_context)
{
    if (running != NULL && is_in_guard(running, info->si_addr))
        longjmp(*running->hidden->stack.landing, STACK_EXHAUSTED);
    if (previous_action.sa_flags & SA_SIGINFO) {
        previous_action.sa_sigaction(signal_number, info, machine_context);
    } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
        previous_action.sa_handler(signal_number);
    } else {
        /* Return to the faulting instruction with the default action in place: the process ends as it would have. */
        sigaction(SIGSEGV, &previous_action, NULL);
    }
}

static void hold_handler(void)
{
    pthread_mutex_lock(&handler_mutex);
    if (mapped_stacks++ == 0) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = handle_fault;
        /* NODEFER: the handler may leave by longjmp, which does not unblock the signal. */
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigaction(SIGSEGV, &action, &previous_action);
    }
    pthread_mutex_unlock(&handler_mutex);
}

static void release_handler(void)
{
    pthread_mutex_lock(&handler_mutex);
    if (--mapped_stacks == 0)
        sigaction(SIGSEGV, &previous_action, NULL);
    pthread_mutex_unlock(&handler_mutex);
}

bool s2l_stack_map(s2l_context *context, uint64_t size)
{
    s2l_stack *stack = &context->hidden->stack;
    /* A machine that refuses the whole reservation may grant a part of it. */
    for (; size >= SMALLEST_STACK; size /= 2) {
        void *memory = mmap(NULL, GUARD_SIZE + size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            continue;
        stack->lowest = memory;
        stack->usable = stack->lowest + GUARD_SIZE;
        stack->size = size;
        if (mprotect(memory, GUARD_SIZE, PROT_NONE) == 0) {
            hold_handler();
            return true;
        }
        munmap(memory, GUARD_SIZE + size);
    }
    stack->lowest = NULL;
    return false;
}

void s2l_stack_unmap(s2l_context *context)
{
    s2l_stack *stack = &context->hidden->stack;
    if (stack->lowest == NULL)
        return;
    release_handler();
    munmap(stack->lowest, GUARD_SIZE + stack->size);
}

typedef struct stack_call {
    s2l_context *context;
    void (*body)(s2l_context *context, void *argument);
    void *argument;
} stack_call;

#if SWITCHES_STACK
__attribute__((used)) static void enter(stack_call *call)
{
    call->body(call->context, call->argument);
}

/* Calls enter(call) with the stack pointer at `top` (a multiple of 16) and comes back on the old stack. The old stack
   pointer waits in a register that called functions preserve. */
__attribute__((noinline)) static void switch_stack(char *top, stack_call *call)
{
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[top], %%rsp\n\t"
                     "callq *%[enter]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(call)
                     : [top] "S"(top), [enter] "a"(enter)
                     : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                     "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
#elif defined(__aarch64__)
    register stack_call *argument __asm__("x0") = call;
    register char *stack_top __asm__("x1") = top;
    register void (*target)(stack_call *) __asm__("x2") = enter;
    __asm__ volatile("mov x19, sp\n\t"
                     "mov sp, x1\n\t"
                     "blr x2\n\t"
                     "mov sp, x19"
                     : "+r"(argument), "+r"(stack_top), "+r"(target)
                     :
                     : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
                     "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",
                     "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                     "v28", "v29", "v30", "v31", "memory", "cc");
#else
#error "the large stack needs a stack switch for this machine"
#endif
}
#endif

/* The thread's alternate signal stack: our own unless the host has one. */
static void *set_signal_stack(void)
{
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0)
        return NULL;
    stack_t ours;
    memset(&ours, 0, sizeof ours);
    ours.ss_sp = malloc(SIGNAL_STACK_SIZE);
    ours.ss_size = SIGNAL_STACK_SIZE;
    if (ours.ss_sp != NULL && sigaltstack(&ours, NULL) != 0) {
        free(ours.ss_sp);
        ours.ss_sp = NULL;
    }
    return ours.ss_sp;
}

static void reset_signal_stack(void *ours)
{
    if (ours == NULL)
        return;
    stack_t none;
    memset(&none, 0, sizeof none);
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, NULL);
    free(ours);
}

s2l_stack_end s2l_stack_call(s2l_context *context, void (*body)(s2l_context *context, void *argument), void *argument)
{
    if (running == context) {
        body(context, argument);
        return STACK_RETURNED;
    }
    s2l_stack *stack = &context->hidden->stack;
    s2l_context *outer = running;
    s2l_frame *frame = context->frame;
    void *signal_stack = set_signal_stack();
    jmp_buf landing;
    stack_call call = {context, body, argument};
    running = context;
    stack->landing = &landing;
    s2l_stack_end end = STACK_RETURNED;
    int reason = setjmp(landing);
    if (reason == 0) {
#if SWITCHES_STACK
        switch_stack(stack->usable + stack->size, &call);
#else
        call.body(call.context, call.argument);
#endif
    } else {
        end = (s2l_stack_end)reason;
        if (end == STACK_EXHAUSTED) {
            s2l_string *message = s2l_message(context,
                "Allowed memory size of %llu bytes exhausted (tried to allocate %llu bytes)",
                (unsigned long long)stack->size, (unsigned long long)GUARD_SIZE);
            s2l_report_fatal(context, string_bytes(message));
            string_drop(context, message);
            /* Every page was touched; a host that goes on wants its memory back. */
            madvise(stack->usable, stack->size, MADV_DONTNEED);
        }
        context->frame = frame;
    }
    stack->landing = NULL;
    running = outer;
    reset_signal_stack(signal_stack);
    return end;
}

_Noreturn void s2l_stack_leave(s2l_context *context)
{
    longjmp(*context->hidden->stack.landing, STACK_FATAL);
}
