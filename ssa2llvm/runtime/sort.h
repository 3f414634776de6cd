/* Sorting of array elements. */
#ifndef S2L_SORT_H
#define S2L_SORT_H

#include "array_internal.h"

/* An element with its key, both borrowed, and where it stood. */
typedef struct s2l_sort_item {
    s2l_value value;
    s2l_key key;
    uint64_t position;
} s2l_sort_item;

typedef struct s2l_sorter {
    const s2l_arguments *arguments;
    s2l_sort_item *items;
    size_t count;
    int32_t (*order)(struct s2l_sorter *sorter, s2l_value left, s2l_value right);
    int32_t (*compare)(struct s2l_sorter *sorter, const s2l_sort_item *left, const s2l_sort_item *right);
    bool by_key;
    bool reverse;
    bool ignore_case;
    bool warned_bool;
    const s2l_function_info *callback;
} s2l_sorter;

void s2l_zend_sort(s2l_sorter *sorter);

#endif
