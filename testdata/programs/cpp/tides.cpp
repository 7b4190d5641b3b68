// A harbour over 24 tides: one function for each course that memory takes. A fixture for heapview, built and run by
// testdata/regenerate.sh.
//
// The allocator comes from LD_PRELOAD; at the end of each tide the program asks it for a dump. When all is over it prints
// its own books: dump, function, bytes that are alive of those the function asked for. Numbers come from a generator of its
// own, so every run is the same. What is not of a course is static: the functions own all that is on the heap.

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <vector>

#define NOINLINE __attribute__((noinline))

constexpr int TIDES = 24;

namespace chance {

std::uint64_t state = 0x9E3779B97F4A7C15;

// From low to high, both included (xorshift).
std::size_t between(std::size_t low, std::size_t high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + static_cast<std::size_t>(state >> 11) % (high - low + 1);
}

}  // namespace chance

// A leak, steady: 40 notes a tide of 100 bytes on average, 4000 bytes a tide.
namespace logbook {

std::size_t live;

struct Note {
    Note* before;
};
Note* latest;

NOINLINE void note() {
    std::size_t size = chance::between(60, 140);
    latest = new (new char[size]) Note{latest};
    live += size;
}

}  // namespace logbook

// A leak in a vector that doubles: 900 marks a tide, 7200 bytes are used.
namespace atlas {

std::size_t live;
std::vector<std::uint64_t>* marks;

NOINLINE void chart() {
    for (std::uint64_t i = 0; i < 900; ++i) marks->push_back(i);
    live = marks->capacity() * sizeof(std::uint64_t);
}

}  // namespace atlas

// A leak, slow: three to five readings of 128 bytes a tide, while the moorings go up and down by hundreds of kB.
namespace gauge {

std::size_t live;

struct Reading {
    Reading* before;
    char paper[120];
};
Reading* latest;

NOINLINE void read() {
    latest = new Reading{latest, {}};
    live += sizeof(Reading);
}

}  // namespace gauge

// A pool, big and busy: from tide to tide any number of the berths is taken.
namespace moorings {

constexpr std::size_t BERTHS = 600;
std::size_t live;

struct Boat {
    char* hull;
    std::size_t size;
};
Boat berth[BERTHS];

NOINLINE void moor(Boat& boat) {
    boat.size = chance::between(500, 1500);
    boat.hull = new char[boat.size];
    live += boat.size;
}

void leave(Boat& boat) {
    delete[] boat.hull;
    live -= boat.size;
    boat = {};
}

void tide() {
    std::size_t full = chance::between(20, 80);
    for (Boat& boat : berth) {
        if (boat.hull != nullptr) leave(boat);
        if (chance::between(1, 100) <= full) moor(boat);
    }
}

}  // namespace moorings

// A cache: 256 forecasts at most, the one that was not asked for longest makes room.
namespace forecasts {

constexpr std::size_t MOST = 256;
std::size_t live;

struct Forecast {
    char* text;
    std::size_t size, place, used;
};
Forecast kept[MOST];
std::size_t asked;

NOINLINE void keep(Forecast& forecast, std::size_t place) {
    forecast.size = chance::between(400, 800);
    forecast.text = new char[forecast.size];
    forecast.place = place;
    live += forecast.size;
}

void look(std::size_t place) {
    Forecast* oldest = &kept[0];
    for (Forecast& each : kept) {
        if (each.text != nullptr && each.place == place) {
            each.used = ++asked;
            return;
        }
        if (each.used < oldest->used) oldest = &each;
    }
    if (oldest->text != nullptr) {
        delete[] oldest->text;
        live -= oldest->size;
    }
    keep(*oldest, place);
    oldest->used = ++asked;
}

}  // namespace forecasts

// A buffer: five to seven sacks of 4 kB a tide, all sent off when there are thirty.
namespace mail {

constexpr std::size_t SACK = 4096, FULL = 30;
std::size_t live;
char* sack[FULL];
std::size_t n_sacks;

NOINLINE void collect() {
    sack[n_sacks++] = new char[SACK];
    live += SACK;
}

void post() {
    collect();
    if (n_sacks < FULL) return;
    while (n_sacks > 0) delete[] sack[--n_sacks];
    live = 0;
}

}  // namespace mail

// Tables: a small one at once, the large ones in the second tide, and none after that.
namespace almanac {

std::size_t live;
char* table[8];

NOINLINE void load(std::size_t place, std::size_t size) {
    table[place] = new char[size];
    live += size;
}

}  // namespace almanac

// A pool that shrinks: 500 crates at the start, some are fetched every tide.
namespace warehouse {

constexpr std::size_t CRATES = 500;
std::size_t live;

struct Crate {
    char* goods;
    std::size_t size;
};
Crate crate[CRATES];
std::size_t n_crates;

NOINLINE void store() {
    Crate& next = crate[n_crates++];
    next.size = chance::between(200, 400);
    next.goods = new char[next.size];
    live += next.size;
}

void fetch() {
    Crate& last = crate[--n_crates];
    delete[] last.goods;
    live -= last.size;
}

}  // namespace warehouse

namespace {

struct Account {
    const char* function;
    const std::size_t& live;
};

const Account BOOKS[] = {
    {"logbook::note", logbook::live},       {"atlas::chart", atlas::live}, {"gauge::read", gauge::live},
    {"moorings::moor", moorings::live},     {"forecasts::keep", forecasts::live}, {"mail::collect", mail::live},
    {"almanac::load", almanac::live},       {"warehouse::store", warehouse::live},
};
constexpr std::size_t N_BOOKS = sizeof(BOOKS) / sizeof(BOOKS[0]);

void many(std::size_t times, void (*work)()) {
    for (; times > 0; --times) work();
}

void pass(int tide) {
    many(40, logbook::note);
    atlas::chart();
    many(chance::between(3, 5), gauge::read);
    moorings::tide();
    for (int i = 0; i < 40; ++i) forecasts::look(chance::between(1, 2000));
    many(chance::between(5, 7), mail::post);
    if (tide == 1) almanac::load(0, 10000);
    if (tide == 2)
        for (std::size_t place = 1; place < 8; ++place) almanac::load(place, 30000 + 1000 * place);
    many(chance::between(12, 20), warehouse::fetch);
}

}  // namespace

int main() {
    static std::size_t books[TIDES][N_BOOKS];
    static std::vector<std::uint64_t> marks;
    atlas::marks = &marks;
    auto heap_profiler_dump = reinterpret_cast<void (*)(const char*)>(dlsym(RTLD_DEFAULT, "HeapProfilerDump"));

    many(warehouse::CRATES, warehouse::store);
    for (int tide = 1; tide <= TIDES; ++tide) {
        pass(tide);
        for (std::size_t i = 0; i < N_BOOKS; ++i) books[tide - 1][i] = BOOKS[i].live;
        if (heap_profiler_dump != nullptr) heap_profiler_dump("high water");
    }
    for (int tide = 1; tide <= TIDES; ++tide)
        for (std::size_t i = 0; i < N_BOOKS; ++i)
            std::printf("tides.%04d.heap\t%s\t%zu\n", tide, BOOKS[i].function, books[tide - 1][i]);
    return 0;
}
