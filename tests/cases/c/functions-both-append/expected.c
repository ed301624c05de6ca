#include <stdint.h>
#include <stdlib.h>

#include "ring.h"

#define RING_MIN 16

enum ring_state {
    RING_EMPTY,
    RING_READY,
};

struct ring_ops {
    int (*open)(struct ring *r);
    int (*close)(struct ring *r);
};

static const struct ring_limits limits = {
    .depth = 64,
    .width = 8,
};

/* Round up to a power of two. */
static size_t round_up(size_t n)
{
    size_t size = RING_MIN;
    while (size < n)
        size <<= 1;
    return size;
}

int ring_init(struct ring *r, size_t n)
{
    r->size = round_up(n);
    r->data = malloc(r->size);
    if (!r->data)
        return -1;
#ifdef RING_STATS
    r->hits = 0;
#else
    r->mode = 0;
#endif
    r->state = RING_READY;
    return 0;
}

void ring_free(struct ring *r)
{
    free(r->data);
    r->data = NULL;
}

void ring_swap(struct ring *a, struct ring *b)
{
    struct ring tmp = *a;
    *a = *b;
    *b = tmp;
}

int ring_hits(const struct ring *r)
{
    return r->hits;
}
