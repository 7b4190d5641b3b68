/* A barge whose load is known to the byte, to compare a profile with the resident memory of its process. Loads in three steps as the
 * first argument says, and after each writes next to the second argument a profile, /proc/self/smaps and status, and what its
 * allocator (jemalloc, tcmalloc or glibc's) counts. Prints, for each step, the bytes it asked for that are in use.
 *
 *     leak    more small blocks in each step
 *     holes   many blocks, then every second of them is freed, then three of four
 *     hoard   threads free all their blocks and stay: the blocks are in their caches
 *     map     few blocks, a mapped file, memory that is shared, a thread with a deep stack
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* Of the allocator, if it is the one that has them. */
__attribute__((weak)) int mallctl(const char *, void *, size_t *, void *, size_t);
__attribute__((weak)) void malloc_stats_print(void (*)(void *, const char *), void *, const char *);
__attribute__((weak)) void HeapProfilerDump(const char *);
__attribute__((weak)) void MallocExtension_GetStats(char *, int);

enum { BLOCKS = 16000, THREADS = 4, HOARDED = 3000, FILE_BYTES = 8 << 20, SHARED_BYTES = 2 << 20 };
static char *blocks[3 * BLOCKS];
static long in_use, n_in_use;
static char text[1 << 20], kept[1 << 20];

static NOINLINE void load(int at, size_t size) {
    blocks[at] = malloc(size);
    memset(blocks[at], 1, size);
    in_use += size;
    n_in_use += 1;
}

static NOINLINE void unload(int at, size_t size) {
    free(blocks[at]);
    blocks[at] = NULL;
    in_use -= size;
    n_in_use -= 1;
}

static size_t size_of(int at) { return 600 + at % 500; }

static int create(const char *place, int step, const char *ending) {
    char path[512];
    snprintf(path, sizeof path, "%s.%04d.%s", place, step, ending);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) {
        perror(path);
        exit(1);
    }
    return file;
}

static void put(int file, const char *from, size_t length) {
    if (write(file, from, length) != (ssize_t)length) exit(1);
}

/* Copies a file of the kernel, of smaps only the lines that are about resident memory, without allocating anything. */
static void copy(const char *from, int to, int some) {
    static const char *const keys[] = {"Size:", "Rss:", "Pss:", "Private_", "Anonymous:", "LazyFree:", "AnonHugePages:", "Swap:"};
    int file = open(from, O_RDONLY);
    size_t length = 0, n_kept = 0;
    for (ssize_t n; (n = read(file, text + length, sizeof text - 1 - length)) > 0;) length += n;
    close(file);
    text[length] = 0;
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        int is_wanted = !some || (line[0] >= '0' && line[0] <= '9') || (line[0] >= 'a' && line[0] <= 'f');
        for (size_t i = 0; !is_wanted && i < sizeof keys / sizeof *keys; i++) is_wanted = !strncmp(line, keys[i], strlen(keys[i]));
        if (is_wanted) {
            memcpy(kept + n_kept, line, n);
            n_kept += n;
        }
        line += n;
    }
    put(to, kept, n_kept);
    close(to);
}

static void print_to(void *file, const char *message) { put((int)(intptr_t)file, message, strlen(message)); }

static void report(const char *place, int step) {
    if (mallctl) {
        char path[512];
        snprintf(path, sizeof path, "%s.%04d.heap", place, step);
        const char *name = path;
        if (mallctl("prof.dump", NULL, NULL, &name, sizeof name)) exit(1);
        int file = create(place, step, "stats.json");
        /* Without single arenas, bins, sizes and locks. */
        malloc_stats_print(print_to, (void *)(intptr_t)file, "Jdablxeh");
        close(file);
    } else if (HeapProfilerDump) {
        HeapProfilerDump("step");
        int file = create(place, step, "stats.txt");
        MallocExtension_GetStats(text, 8192);
        put(file, text, strlen(text));
        close(file);
    } else {
        int file = create(place, step, "folded");
        dprintf(file, "# inuse_space bytes, inuse_objects count\nmain;load %ld %ld\n", in_use, n_in_use);
        close(file);
        FILE *info = fdopen(create(place, step, "malloc_info.xml"), "w");
        malloc_info(0, info);
        fclose(info);
    }
    copy("/proc/self/smaps", create(place, step, "smaps"), 1);
    copy("/proc/self/status", create(place, step, "status"), 0);
    printf("%s.%04d\t%ld\t%ld\n", strrchr(place, '/') + 1, step, in_use, n_in_use);
}

static pthread_barrier_t freed, reported;

static void *hoard(void *argument) {
    char **own = calloc(HOARDED, sizeof *own);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < HOARDED; i++) {
            own[i] = malloc(64 << i % 6);
            memset(own[i], 1, 64 << i % 6);
        }
        for (int i = 0; i < HOARDED; i++) free(own[i]);
    }
    free(own);
    pthread_barrier_wait(&freed);
    pthread_barrier_wait(&reported);
    return argument;
}

static void *dive(void *argument) {
    volatile char deep[1 << 20];
    for (size_t i = 0; i < sizeof deep; i += 4096) deep[i] = 1;
    pthread_barrier_wait(&freed);
    pthread_barrier_wait(&reported);
    return (void *)((intptr_t)argument + deep[0]);
}

int main(int n, char **argument) {
    if (n != 3) return 2;
    const char *mode = argument[1], *place = argument[2];
    setvbuf(stdout, NULL, _IONBF, 0);
    pthread_t threads[THREADS];
    /* gperftools writes what is in use and what was allocated only where they differ. */
    load(0, 100);
    unload(0, 100);
    if (!strcmp(mode, "leak")) {
        for (int step = 1; step <= 3; step++) {
            for (int i = (step - 1) * BLOCKS; i < step * BLOCKS; i++) load(i, size_of(i));
            report(place, step);
        }
    } else if (!strcmp(mode, "holes")) {
        for (int i = 0; i < 2 * BLOCKS; i++) load(i, size_of(i));
        report(place, 1);
        for (int i = 0; i < 2 * BLOCKS; i += 2) unload(i, size_of(i));
        report(place, 2);
        for (int i = 1; i < 2 * BLOCKS; i += 4) unload(i, size_of(i));
        report(place, 3);
    } else if (!strcmp(mode, "hoard")) {
        for (int i = 0; i < 1000; i++) load(i, size_of(i));
        pthread_barrier_init(&freed, NULL, THREADS + 1);
        pthread_barrier_init(&reported, NULL, THREADS + 1);
        for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, hoard, NULL);
        pthread_barrier_wait(&freed);
        report(place, 1);
        pthread_barrier_wait(&reported);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    } else if (!strcmp(mode, "map")) {
        for (int i = 0; i < 1000; i++) load(i, size_of(i));
        char path[512];
        snprintf(path, sizeof path, "%s.cargo", place);
        int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (ftruncate(file, FILE_BYTES)) return 1;
        volatile char *cargo = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, file, 0);
        int memory = memfd_create("cargo", 0);
        if (ftruncate(memory, SHARED_BYTES)) return 1;
        volatile char *shared = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        long sum = 0;
        for (long i = 0; i < FILE_BYTES; i += 4096) sum += cargo[i];
        for (long i = 0; i < SHARED_BYTES; i += 4096) shared[i] = 1 + sum;
        pthread_barrier_init(&freed, NULL, 2);
        pthread_barrier_init(&reported, NULL, 2);
        pthread_create(&threads[0], NULL, dive, NULL);
        pthread_barrier_wait(&freed);
        report(place, 1);
        pthread_barrier_wait(&reported);
        pthread_join(threads[0], NULL);
        unlink(path);
    } else {
        return 2;
    }
    return 0;
}
