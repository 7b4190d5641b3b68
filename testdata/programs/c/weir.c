/* A weir whose keeper keeps books of all blocks, to be recorded by DHAT: tiny blocks that nobody uses, fields that are read more
 * than written, holes, a block that is resized, a byte that is written more often than DHAT's counters can tell, copies and events.
 * Prints, for each function, blocks and bytes that it allocated, bytes in use at the end, bytes read and bytes written; then the
 * bytes that `spill` copied and the units of the events of `open_gate`. Reads and writes are 8 bytes wide, or one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/dhat.h>

#define NOINLINE __attribute__((noinline))

/* A struct with a hole: `depth` is written once and read three times, `spare` never, `flow` is written twice. */
struct gauge {
    volatile uint64_t depth, spare[5], flow;
};

/* 100 gauges, which stay. */
NOINLINE static void gauges(struct gauge **kept) {
    for (int i = 0; i < 100; i++) {
        struct gauge *gauge = malloc(sizeof *gauge);
        gauge->depth = i;
        gauge->flow = 1;
        gauge->flow = 2;
        uint64_t sum = 0;
        for (int n = 0; n < 3; n++) sum += gauge->depth;
        kept[i] = sum < 1000 ? gauge : NULL;
    }
}

/* 500 blocks of 8 bytes that are gone at once. */
NOINLINE static void foam(void) {
    for (int i = 0; i < 500; i++) {
        void *volatile drop = malloc(8);
        free(drop);
    }
}

/* A block that is written and never read. */
NOINLINE static void silt(void) {
    volatile uint64_t *mud = malloc(512);
    for (int i = 0; i < 64; i++) mud[i] = i;
    free((void *)mud);
}

/* A block that grows twice: its counts are lost. */
NOINLINE static void pool(void) {
    volatile uint64_t *water = malloc(64);
    for (int i = 0; i < 8; i++) water[i] = i;
    water = realloc((void *)water, 128);
    water = realloc((void *)water, 256);
    for (int i = 0; i < 32; i++) water[i] = i;
    free((void *)water);
}

/* Two blocks, each with one byte that is written 40,000 times: 80,000 are more than 16 bits. */
NOINLINE static void wheel(volatile int wheels) {
    for (int i = 0; i < wheels; i++) {
        volatile uint8_t *paddle = malloc(32);
        for (int turn = 0; turn < 40000; turn++) paddle[3] = turn;
        free((void *)paddle);
    }
}

/* 20 copies of 256 bytes, outside of the heap. */
static char above[256], below[256];
NOINLINE static void spill(volatile size_t length) {
    for (int i = 0; i < 20; i++) memcpy(below, above, length);
}

NOINLINE static void open_gate(void) {
    for (int i = 0; i < 7; i++) DHAT_AD_HOC_EVENT(5);
}

int main(void) {
    static struct gauge *kept[100];
    gauges(kept);
    foam();
    silt();
    pool();
    wheel(2);
    spill(sizeof above);
    open_gate();
    /* Blocks of realloc count with their new sizes; moving one reads and writes its bytes. */
    static const char books[] = "gauges\t100\t5600\t5600\t2400\t2400\n"
                                "foam\t500\t4000\t0\t0\t0\n"
                                "silt\t1\t512\t0\t0\t512\n"
                                "wheel\t2\t64\t0\t0\t80000\n"
                                "spill\t20\t5120\n"
                                "open_gate\t7\t35\n";
    fputs(books, stderr);
    return 0;
}
