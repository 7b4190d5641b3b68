// Memory for massif: known bytes at the peak and at the end, in functions whose names are hard to read.
//
//     quarry BOOKS    writes a line for each function: its name, bytes in use at the peak, and at the end
//
// Only what is requested here is in the books. The books themselves take no memory of the heap.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

struct Account {
    const char *name;
    long now, at_peak;
};

// In the order of first use.
Account accounts[32];
int n_accounts;
long in_use, peak;

Account *account(const char *name) {
    for (int i = 0; i < n_accounts; i++) {
        if (accounts[i].name == name) return &accounts[i];
    }
    accounts[n_accounts].name = name;
    return &accounts[n_accounts++];
}

void book(const char *name, long bytes) {
    account(name)->now += bytes;
    in_use += bytes;
    if (in_use > peak) {
        peak = in_use;
        for (int i = 0; i < n_accounts; i++) accounts[i].at_peak = accounts[i].now;
    }
}

struct Stone {
    Stone *next;
    long size;
};

// Inlined where it is called, so that a block has several frames at one address.
__attribute__((always_inline)) inline Stone *cut(long size) {
    Stone *stone = static_cast<Stone *>(malloc(size));
    if (stone == nullptr) abort();
    stone->size = size;
    stone->next = nullptr;
    return stone;
}

__attribute__((noinline)) Stone *blast(long size) { return cut(size); }

// A deep stack.
__attribute__((noinline)) Stone *descend(int level, long size) {
    Stone *stone = level == 0 ? cut(size) : descend(level - 1, size);
    asm volatile("" : : "r"(stone) : "memory");
    return stone;
}

}  // namespace

template <int Grain>
__attribute__((noinline)) Stone *gravel() {
    return cut(64 + Grain);
}

template <typename Tool>
struct Crew {
    Tool tool;
    __attribute__((noinline)) Stone *work(long size) { return tool(size); }
};

namespace {

// Each is below massif's threshold.
template <int... Grain>
Stone *pebbles(Stone *heap, std::integer_sequence<int, Grain...>) {
    (void)std::initializer_list<int>{(
        [&] {
            Stone *stone = gravel<Grain>();
            stone->next = heap;
            heap = stone;
            book("gravel", 64 + Grain);
        }(),
        0)...};
    return heap;
}

void drop(const char *name, Stone *stone) {
    while (stone != nullptr) {
        Stone *next = stone->next;
        book(name, -stone->size);
        free(stone);
        stone = next;
    }
}

}  // namespace

int main(int argc, char **argv) {
    Stone *dust = pebbles(nullptr, std::make_integer_sequence<int, 12>());
    Stone *wall = nullptr, *rubble = nullptr, *deep = nullptr, *kept = nullptr;

    // Grows all the time, and stays.
    auto keep = [&](long size) __attribute__((noinline)) {
        Stone *stone = blast(size);
        stone->next = wall;
        wall = stone;
        book("main::{lambda(long)#1}", size);
        return stone;
    };
    // Comes and goes.
    auto crush = [](long size) __attribute__((noinline)) { return cut(size); };
    Crew<decltype(crush)> crew{crush};

    for (int day = 0; day < 24; day++) {
        keep(3000 + 10 * day);
        for (int i = 0; i < 6; i++) {
            Stone *stone = crew.work(2048);
            stone->next = rubble;
            rubble = stone;
            book("Crew", 2048);
        }
        if (day % 4 == 3) {
            drop("Crew", rubble);
            rubble = nullptr;
        }
        if (day == 14) {
            // The peak.
            deep = descend(40, 200000);
            book("descend", 200000);
        }
        if (day == 16) {
            drop("descend", deep);
            deep = nullptr;
        }
        if (day % 8 == 5) {
            Stone *stone = descend(3, 5000);
            stone->next = kept;
            kept = stone;
            book("descend", 5000);
        }
    }
    (void)dust;

    FILE *books = argc > 1 ? fopen(argv[1], "w") : nullptr;
    if (books != nullptr) {
        setvbuf(books, nullptr, _IONBF, 0);
        for (int i = 0; i < n_accounts; i++) fprintf(books, "%s\t%ld\t%ld\n", accounts[i].name, accounts[i].at_peak, accounts[i].now);
    }
    return 0;
}
