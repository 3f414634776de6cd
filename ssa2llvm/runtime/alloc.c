/* The allocator: every block belongs to a context and dies with it at the latest.

   Problem: PHP programs make and drop small strings and arrays at a high rate, and grow a few large ones; a page fault
   costs microseconds, so memory once touched should be used again rather than given back to the system.
   Small sizes (up to 512 bytes) have a free list for each 16 bytes, in the open part of the context, which the rest of the
   runtime pops and pushes inline (internal.h). Larger sizes are rounded up to four steps per doubling and have a list each as well. Fresh
   blocks up to 32 KiB are cut from chunks; larger ones are malloc'ed singly, on huge pages from 4 MiB on. All malloc'ed memory is on one ring, so a
   context that ends by a fatal error is freed without walking its objects.
   Frees are sized: the caller knows the size from the object (capacity), so blocks carry no head.
   Under AddressSanitizer every block is malloc'ed and freed singly, so that it sees each use after free.
   Complexity: O(1) but for malloc. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SMALLEST_CHUNK ((uint64_t)1 << 18)
#define LARGEST_CHUNK ((uint64_t)1 << 23)
#define HUGE_PAGES_FROM ((uint64_t)1 << 22)
#define PAGE_SIZE ((uintptr_t)4096)
#define CHUNKED_LIMIT ((uint64_t)1 << 15)
#define KEPT_LIMIT ((uint64_t)1 << 26)
#define SIZE_LIMIT ((uint64_t)1 << 46)

/* Class of a size above S2L_SMALL_LIMIT: four steps for each power of two. */
static uint64_t large_class(uint64_t size)
{
    uint64_t power = 63 - (uint64_t)__builtin_clzll(size - 1);
    uint64_t step = (size - 1) >> (power - 2) & 3;
    return (power - 9) * 4 + step;
}

static uint64_t large_class_size(uint64_t number)
{
    uint64_t power = number / 4 + 9;
    return (number % 4 + 5) << (power - 2);
}

uint64_t s2l_block_size(uint64_t size)
{
    if (size <= S2L_SMALL_LIMIT)
        return s2l_small_class(size) * S2L_SMALL_GRANULE;
    if (size > SIZE_LIMIT)
        return size;
    return large_class_size(large_class(size));
}

static _Noreturn void out_of_memory(s2l_context *context, uint64_t size)
{
    char message[80];
    snprintf(message, sizeof message, "Out of memory (tried to allocate %llu bytes)", (unsigned long long)size);
    s2l_fatal(context, message);
}

/* Asks the system to back a large block with huge pages: fewer faults when it is written for the first time. */
static void advise(void *block, uint64_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t start = ((uintptr_t)block + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(PAGE_SIZE - 1);
    if (size >= HUGE_PAGES_FROM)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

static void *obtain(s2l_context *context, uint64_t size)
{
    s2l_large_block *ring = &context->hidden->memory.blocks;
    s2l_large_block *block = size > SIZE_LIMIT ? NULL : malloc(sizeof *block + size);
    if (block == NULL)
        out_of_memory(context, size);
    advise(block, size);
    s2l_memory *memory = &context->hidden->memory;
    memory->obtained += size;
    if (memory->obtained > memory->most_obtained)
        memory->most_obtained = memory->obtained;
    block->size = size;
    block->previous = ring;
    block->next = ring->next;
    ring->next->previous = block;
    ring->next = block;
    return block + 1;
}

static void give_back(s2l_context *context, void *memory)
{
    s2l_large_block *block = (s2l_large_block *)memory - 1;
    context->hidden->memory.obtained -= block->size;
    block->previous->next = block->next;
    block->next->previous = block->previous;
    free(block);
}

static void *cut_from_chunk(s2l_context *context, uint64_t size)
{
    s2l_memory *memory = &context->hidden->memory;
    if ((uint64_t)(memory->bump_limit - memory->bump) < size) {
        /* A program that has much gets more at a time. */
        uint64_t chunk = memory->obtained / 4 < LARGEST_CHUNK ? memory->obtained / 4 : LARGEST_CHUNK;
        chunk = chunk > SMALLEST_CHUNK ? chunk & ~(uint64_t)15 : SMALLEST_CHUNK;
        memory->bump = obtain(context, chunk);
        memory->bump_limit = memory->bump + chunk;
    }
    void *block = memory->bump;
    memory->bump += size;
    return block;
}

static void **free_list(s2l_context *context, uint64_t size)
{
    if (size <= S2L_SMALL_LIMIT)
        return &context->free_lists[s2l_small_class(size)];
    return &context->hidden->memory.large_free_lists[large_class(size)];
}

void *s2l_allocate_any(s2l_context *context, uint64_t size)
{
    uint64_t whole = s2l_block_size(size);
    if (!S2L_POOLED || UNLIKELY(whole > KEPT_LIMIT))
        return obtain(context, whole);
    void **list = free_list(context, size);
    void *block = *list;
    if (LIKELY(block != NULL)) {
        memcpy(list, block, sizeof *list);
        return block;
    }
    return whole <= CHUNKED_LIMIT ? cut_from_chunk(context, whole) : obtain(context, whole);
}

void s2l_free_any(s2l_context *context, void *block, uint64_t size)
{
    if (!S2L_POOLED || UNLIKELY(s2l_block_size(size) > KEPT_LIMIT)) {
        give_back(context, block);
        return;
    }
    void **list = free_list(context, size);
    memcpy(block, list, sizeof *list);
    *list = block;
}

void *s2l_reallocate(s2l_context *context, void *block, uint64_t old_size, uint64_t new_size)
{
    uint64_t old_whole = s2l_block_size(old_size);
    uint64_t new_whole = s2l_block_size(new_size);
    if (S2L_POOLED && old_whole == new_whole)
        return block;
    if (old_whole > KEPT_LIMIT && new_whole > KEPT_LIMIT && new_whole <= SIZE_LIMIT) {
        /* Blocks this large are mappings of their own: the system moves their pages without copying. */
        s2l_large_block *grown = realloc((s2l_large_block *)block - 1, sizeof *grown + new_whole);
        if (grown == NULL)
            out_of_memory(context, new_size);
        context->hidden->memory.obtained += new_whole - grown->size;
        grown->size = new_whole;
        grown->previous->next = grown;
        grown->next->previous = grown;
        return grown + 1;
    }
    void *copy = s2l_allocate(context, new_size);
    memcpy(copy, block, old_size < new_size ? old_size : new_size);
    s2l_free(context, block, old_size);
    return copy;
}

void s2l_memory_release_all(s2l_context *context)
{
    s2l_large_block *ring = &context->hidden->memory.blocks;
    for (s2l_large_block *block = ring->next; block != ring;) {
        s2l_large_block *next = block->next;
        free(block);
        block = next;
    }
    ring->next = ring->previous = ring;
}
