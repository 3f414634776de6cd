/* PHP's sort: insertion sort up to 16 elements, a quicksort with median pivots above.

   Follows Zend/zend_sort.c comparison by comparison, because the order of calls of a user's comparison function, and the
   result for comparisons that are no order (mixed types), can be seen. It is not stable by itself: the comparison breaks
   ties by the original position. Recursion goes into the smaller part only, so its depth is logarithmic. */
#include "sort.h"

#define INSERTION_LIMIT 16
#define NINTHER_LIMIT 1024
#define NEAR_PLACES 6

static bool greater(s2l_sorter *sorter, size_t left, size_t right)
{
    return sorter->compare(sorter, &sorter->items[left], &sorter->items[right]) > 0;
}

static void swap(s2l_sorter *sorter, size_t left, size_t right)
{
    s2l_sort_item item = sorter->items[left];
    sorter->items[left] = sorter->items[right];
    sorter->items[right] = item;
}

static void sort_three(s2l_sorter *sorter, size_t a, size_t b, size_t c)
{
    if (!greater(sorter, a, b)) {
        if (!greater(sorter, b, c))
            return;
        swap(sorter, b, c);
        if (greater(sorter, a, b))
            swap(sorter, a, b);
        return;
    }
    if (!greater(sorter, c, b)) {
        swap(sorter, a, c);
        return;
    }
    swap(sorter, a, b);
    if (greater(sorter, b, c))
        swap(sorter, b, c);
}

/* Brings the last of these places to where it belongs among the others, which are in order. */
static void insert_last(s2l_sorter *sorter, const size_t *places, size_t count)
{
    for (size_t right = count - 1; right > 0; right--) {
        if (!greater(sorter, places[right - 1], places[right]))
            return;
        swap(sorter, places[right - 1], places[right]);
    }
}

static void sort_few(s2l_sorter *sorter, const size_t *places, size_t count)
{
    if (count == 2)
        insert_last(sorter, places, 2);
    if (count <= 2)
        return;
    sort_three(sorter, places[0], places[1], places[2]);
    for (size_t sorted = 4; sorted <= count; sorted++)
        insert_last(sorter, places, sorted);
}

/* Where element i belongs among the sorted start..i-1, going back one by one. */
static size_t place_near(s2l_sorter *sorter, size_t start, size_t i)
{
    size_t j = i - 1;
    while (j != start) {
        j--;
        if (!greater(sorter, j, i))
            return j + 1;
    }
    return j;
}

/* The same, going back by twos. */
static size_t place_far(s2l_sorter *sorter, size_t start, size_t i)
{
    size_t j = i - 1;
    for (;;) {
        j -= 2;
        if (!greater(sorter, j, i)) {
            j++;
            return greater(sorter, j, i) ? j : j + 1;
        }
        if (j == start)
            return j;
        if (j == start + 1)
            return greater(sorter, i, j - 1) ? j : j - 1;
    }
}

static void insertion_sort(s2l_sorter *sorter, size_t start, size_t end)
{
    size_t places[5];
    size_t count = end - start;
    if (count <= 5) {
        for (size_t i = 0; i < count; i++)
            places[i] = start + i;
        sort_few(sorter, places, count);
        return;
    }
    for (size_t i = start + 1; i < end; i++) {
        if (!greater(sorter, i - 1, i))
            continue;
        size_t j = i < start + NEAR_PLACES ? place_near(sorter, start, i) : place_far(sorter, start, i);
        s2l_sort_item item = sorter->items[i];
        memmove(&sorter->items[j + 1], &sorter->items[j], (i - j) * sizeof item);
        sorter->items[j] = item;
    }
}

/* Moves i up and j down until they meet, exchanging what is on the wrong side of the pivot. */
static size_t meet(s2l_sorter *sorter, size_t pivot, size_t i, size_t j)
{
    for (;;) {
        while (greater(sorter, pivot, i)) {
            if (++i == j)
                return i;
        }
        if (--j == i)
            return i;
        while (greater(sorter, j, pivot)) {
            if (--j == i)
                return i;
        }
        swap(sorter, i, j);
        if (++i == j)
            return i;
    }
}

/* Partitions around a median; the pivot's final place. */
static size_t partition(s2l_sorter *sorter, size_t start, size_t end)
{
    size_t half = (end - start) >> 1;
    size_t pivot = start + half;
    if (end - start >= NINTHER_LIMIT) {
        size_t quarter = half >> 1;
        const size_t places[5] = {start, start + quarter, pivot, pivot + quarter, end - 1};
        sort_few(sorter, places, 5);
    } else {
        sort_three(sorter, start, pivot, end - 1);
    }
    swap(sorter, start + 1, pivot);
    size_t met = meet(sorter, start + 1, start + 2, end - 1);
    swap(sorter, start + 1, met - 1);
    return met - 1;
}

static void sort_range(s2l_sorter *sorter, size_t start, size_t end)
{
    while (end - start > INSERTION_LIMIT) {
        size_t pivot = partition(sorter, start, end);
        if (pivot - start < end - (pivot + 1)) {
            sort_range(sorter, start, pivot);
            start = pivot + 1;
        } else {
            sort_range(sorter, pivot + 1, end);
            end = pivot;
        }
    }
    insertion_sort(sorter, start, end);
}

void s2l_zend_sort(s2l_sorter *sorter)
{
    sort_range(sorter, 0, sorter->count);
}
