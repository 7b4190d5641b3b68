/* The granary in C++: templates, a lambda and a method inlined into each other, in one piece and in several. */
#include <cstdint>
#include <cstdio>
#include <unwind.h>

#define NOINLINE __attribute__((noinline))
#define INLINE inline __attribute__((always_inline))

int main(int n_arguments, char **arguments);

static volatile int sink;

struct Walk {
    uintptr_t frames[32];
    int n = 0;
    bool is_whole = false;
};

static _Unwind_Reason_Code step(_Unwind_Context *context, void *data) {
    Walk *walk = static_cast<Walk *>(data);
    uintptr_t ip = _Unwind_GetIP(context);
    if (walk->n == 32 || walk->is_whole)
        return _URC_END_OF_STACK;
    walk->frames[walk->n++] = ip;
    walk->is_whole = _Unwind_FindEnclosingFunction(reinterpret_cast<void *>(ip - 1)) == reinterpret_cast<void *>(main);
    return _URC_NO_REASON;
}

/* One line of the profile: the stack above this function, up to main. */
NOINLINE void mark(int bytes) {
    Walk walk;
    _Unwind_Backtrace(step, &walk);
    printf("%d: %d [%d: %d] @", 1, bytes, 1, bytes);
    for (int i = 1; i < walk.n; i++)
        printf(" %p", reinterpret_cast<void *>(walk.frames[i]));
    printf("\n");
}

namespace barn {
/* The call ends before the code does, so that it has a return address of its own. */
template <class T> INLINE void pour(T bytes) {
    mark(bytes);
    sink = bytes;
}

struct Bin {
    int level;

    INLINE void fill(int bytes) {
        if (level > bytes)
            return;
        pour(bytes + 1);
        level = bytes;
    }
};

template <class F> INLINE void each(int n, F act) {
    for (int i = 0; i < n; i++)
        act(i);
}
} // namespace barn

/* Several calls of one function, whose code lies in pieces. */
NOINLINE int store(int bytes) {
    barn::Bin bin{sink};
    bin.fill(bytes);
    barn::each(bytes / 100, [&](int i) {
        bin.fill(bytes + i + 10);
        sink = i;
    });
    return bin.level;
}

static INLINE int work(int n) {
    int level = store(n);
    sink = level;
    return level + 1;
}

static void copy_maps() {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    printf("\nMAPPED_LIBRARIES:\n");
    while (maps && fgets(line, sizeof line, maps))
        fputs(line, stdout);
}

int main(int n_arguments, char **arguments) {
    printf("heap profile: 3: 320 [3: 320] @ heapprofile\n");
    work(99 + n_arguments);
    copy_maps();
    return arguments[0] == nullptr;
}
