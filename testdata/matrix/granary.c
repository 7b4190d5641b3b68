/* Fills bins, and writes a heap profile in which every stack is one it has walked itself: the same three stacks
   however it is built. tests/it/matrix.rs knows the lines of this file. */
#include <stdint.h>
#include <stdio.h>
#include <stddef.h>
#include <unwind.h>

#define NOINLINE __attribute__((noinline, noclone))
#define INLINE static inline __attribute__((always_inline))

int main(int n_arguments, char **arguments);

static volatile int sink;

struct walk {
    uintptr_t frames[32];
    int n, is_whole;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
    struct walk *walk = data;
    uintptr_t ip = _Unwind_GetIP(context);
    if (walk->n == 32 || walk->is_whole)
        return _URC_END_OF_STACK;
    walk->frames[walk->n++] = ip;
    walk->is_whole = _Unwind_FindEnclosingFunction((void *)(ip - 1)) == (void *)main;
    return _URC_NO_REASON;
}

/* One line of the profile: the stack above this function, up to main. */
NOINLINE void mark(int bytes) {
    struct walk walk = {{0}, 0, 0};
    _Unwind_Backtrace(step, &walk);
    printf("%d: %d [%d: %d] @", 1, bytes, 1, bytes);
    for (int i = 1; i < walk.n; i++)
        printf(" %p", (void *)walk.frames[i]);
    printf("\n");
}

/* Never called, so that a linker that collects garbage has something to drop. */
NOINLINE void forgotten(int bytes) {
    mark(bytes);
    sink = bytes;
}

INLINE void pour(int bytes) {
    mark(bytes);
    sink = bytes;
}

INLINE void fill(int bytes) {
    pour(bytes + 1);
    sink = bytes;
}

NOINLINE void store(int bytes) {
    fill(bytes);
    sink = bytes;
}

static __attribute__((cold, noinline)) void complain(int bytes) {
    mark(bytes);
    sink = bytes;
}

/* Its rare half goes far away, into `sort.cold`. */
NOINLINE int sort(int bytes) {
    if (__builtin_expect(bytes < 1000, 1)) {
        sink = bytes;
        return 1;
    }
    complain(bytes);
    sink = bytes * 3;
    return sink;
}

NOINLINE int deep(int n) {
    if (n > 0) {
        int below = deep(n - 1);
        sink = below;
        return sink + below;
    }
    store(200);
    return sink;
}

static void copy_maps(void) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    printf("\nMAPPED_LIBRARIES:\n");
    while (maps && fgets(line, sizeof line, maps))
        fputs(line, stdout);
}

int main(int n_arguments, char **arguments) {
    printf("heap profile: 3: 3500 [3: 3500] @ heapprofile\n");
    store(100);
    sort(3000 + n_arguments);
    deep(2);
    copy_maps();
    return arguments[0] == NULL;
}
