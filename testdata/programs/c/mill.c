/* A C program whose memory all goes through wrappers of the allocator, as in many a server: xmalloc, a counting zmalloc in
 * two layers, a pool that takes blocks, and a table of functions. What it asks for is printed by caller. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

/* Wrappers. */

NOINLINE static void *xmalloc(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) abort();
    return memory;
}

NOINLINE static char *xstrdup(const char *text) {
    char *copy = xmalloc(strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

static size_t used;

NOINLINE static void *ztry_alloc_internal(size_t size, size_t *usable) {
    size_t *memory = malloc(size + sizeof(size_t));
    if (memory == NULL) return NULL;
    *memory = size;
    if (usable != NULL) *usable = size;
    return memory + 1;
}

NOINLINE static void *zmalloc(size_t size) {
    void *memory = ztry_alloc_internal(size, NULL);
    if (memory == NULL) abort();
    used += size;
    return memory;
}

NOINLINE static void *zrealloc(void *old, size_t size) {
    void *memory = zmalloc(size);
    if (old != NULL) {
        size_t before = ((size_t *)old)[-1];
        memcpy(memory, old, before < size ? before : size);
        used -= before;
        free((size_t *)old - 1);
    }
    return memory;
}

struct pool {
    char *block;
    size_t left;
};

/* Blocks of 4 kB; what is larger gets one of its own. */
NOINLINE static void *pool_alloc(struct pool *pool, size_t size) {
    size = (size + 15) / 16 * 16;
    if (size > 2048) return xmalloc(size);
    if (size > pool->left) {
        pool->block = xmalloc(4096);
        pool->left = 4096;
    }
    pool->left -= size;
    return pool->block + pool->left;
}

struct memory_methods {
    void *(*take)(size_t);
    void (*give)(void *);
};

static struct memory_methods methods = {xmalloc, free};

/* The mill: who asks for memory. */

static void *kept[20000];
static size_t n_kept;

static void keep(void *memory) { kept[n_kept++] = memory; }

NOINLINE static void sack_fill(int n) {
    for (int i = 0; i < n; i++) keep(zmalloc(700));
}

NOINLINE static void ledger_add(int n) {
    for (int i = 0; i < n; i++) {
        char line[64];
        snprintf(line, sizeof line, "%06d sacks of rye for the baker at the gate", i);
        keep(xstrdup(line));
    }
}

NOINLINE static void queue_grow(int n) {
    void *queue = NULL;
    for (int i = 1; i <= n; i++) queue = zrealloc(queue, (size_t)i * 8192);
    keep(queue);
}

NOINLINE static void stone_dress(int n) {
    for (int i = 0; i < n; i++) keep(xmalloc(3000));
}

NOINLINE static void wheel_turn(struct pool *pool, int n) {
    for (int i = 0; i < n; i++) keep(pool_alloc(pool, 200));
}

NOINLINE static void sluice_open(struct pool *pool, int n) {
    for (int i = 0; i < n; i++) keep(pool_alloc(pool, 5000));
}

NOINLINE static void guest_feed(int n) {
    for (int i = 0; i < n; i++) keep(methods.take(450));
}

int main(void) {
    struct pool pool = {NULL, 0};
    sack_fill(400);
    ledger_add(900);
    queue_grow(20);
    stone_dress(70);
    wheel_turn(&pool, 600);
    sluice_open(&pool, 30);
    guest_feed(200);
    /* What stays, bytes as the allocator was asked for them. */
    printf("sack_fill\t%d\n", 400 * (700 + 8));
    printf("ledger_add\t%d\n", 900 * 46);
    printf("queue_grow\t%d\n", 20 * 8192 + 8);
    printf("stone_dress\t%d\n", 70 * 3000);
    printf("wheel_turn\t%d\n", (600 + 18) / 19 * 4096);
    printf("sluice_open\t%d\n", 30 * 5008);
    printf("guest_feed\t%d\n", 200 * 450);
    return 0;
}
