/* A ferry whose crew keeps books of all its memory, to be recorded: threads, a chain of reallocations, a burst of temporary blocks, a
 * peak at a known moment, and a leak. Prints, for each function, what was allocated below it, what was in use at the peak and at the
 * end, and what was temporary: objects and bytes each. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { LOAD, ROPE, SPRAY, ANCHOR, SWELL, N };
static const char *const names[N] = {"load", "rope", "spray", "anchor", "swell"};

struct count {
    long objects, bytes;
};
static struct {
    struct count allocated, live, peak, temporary;
} books[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void book(int who, long objects, long bytes) {
    pthread_mutex_lock(&lock);
    if (objects > 0) {
        books[who].allocated.objects += objects;
        books[who].allocated.bytes += bytes;
    }
    books[who].live.objects += objects;
    books[who].live.bytes += bytes;
    pthread_mutex_unlock(&lock);
}

static void rest(void) {
    struct timespec time = {0, 40 * 1000 * 1000};
    nanosleep(&time, NULL);
}

/* Three threads load 300 crates each, and throw every third overboard. */
static void *crates[3][300];

NOINLINE static void *load(void *number) {
    for (long i = 0; i < 300; i++) {
        long size = 100 + i % 7 * 50;
        crates[(long)number][i] = malloc(size);
        book(LOAD, 1, size);
        if (i % 3 == 2) {
            free(crates[(long)number][i]);
            crates[(long)number][i] = NULL;
            book(LOAD, -1, -size);
        }
    }
    return NULL;
}

/* A rope that is spliced until it is long enough: each time a new block, and the old one is gone before anything else happens. */
NOINLINE static void *rope(void) {
    void *all = NULL;
    long before = 0;
    for (long size = 64; size <= 64 << 10; size *= 2) {
        void *longer = realloc(all, size);
        if (longer == NULL) abort();
        if (before > 0) {
            book(ROPE, -1, -before);
            books[ROPE].temporary.objects++;
            books[ROPE].temporary.bytes += before;
        }
        book(ROPE, 1, size);
        all = longer;
        before = size;
    }
    return all;
}

/* 500 drops that nobody keeps. */
NOINLINE static void spray(void) {
    for (int i = 0; i < 500; i++) {
        void *volatile drop = malloc(48);
        book(SPRAY, 1, 48);
        free(drop);
        book(SPRAY, -1, -48);
        books[SPRAY].temporary.objects++;
        books[SPRAY].temporary.bytes += 48;
    }
}

/* Ten anchors are never pulled up. */
static void *volatile lost;

NOINLINE static void anchor(void) {
    for (int i = 0; i < 10; i++) {
        lost = malloc(333);
        book(ANCHOR, 1, 333);
    }
}

/* A swell of 3 MB: the peak. */
NOINLINE static void *swell(void) {
    void *water = malloc(3000000);
    book(SWELL, 1, 3000000);
    for (int i = 0; i < N; i++) books[i].peak = books[i].live;
    return water;
}

int main(void) {
    pthread_t crew[3];
    rest();
    for (long i = 0; i < 3; i++) pthread_create(&crew[i], NULL, load, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(crew[i], NULL);
    rest();
    void *long_rope = rope();
    spray();
    anchor();
    rest();
    void *water = swell();
    rest();
    free(water);
    book(SWELL, -1, -3000000);
    /* Nothing else happened since: that is a temporary block, however long it lived. */
    books[SWELL].temporary.objects++;
    books[SWELL].temporary.bytes += 3000000;
    rest();
    free(long_rope);
    book(ROPE, -1, -(64 << 10));
    rest();
    for (int i = 0; i < N; i++) {
        printf("%s\t%ld\t%ld\t%ld\t%ld", names[i], books[i].allocated.objects, books[i].allocated.bytes, books[i].peak.objects,
               books[i].peak.bytes);
        printf("\t%ld\t%ld\t%ld\t%ld\n", books[i].live.objects, books[i].live.bytes, books[i].temporary.objects,
               books[i].temporary.bytes);
    }
    return 0;
}
