// A kitchen with a pantry in a shared library: a fixture for heapview, built and run by testdata/regenerate.sh.
//
//     kitchen [SAMPLE-FILE]
//
// The allocator comes from LD_PRELOAD. At the end the program asks it for a dump; with SAMPLE-FILE it also writes
// tcmalloc's sampled heap there (needs TCMALLOC_SAMPLE_PARAMETER).

#include <dlfcn.h>
#include <gperftools/malloc_extension.h>

#include <cstdio>
#include <functional>
#include <map>

#include "pantry.hpp"

namespace {

struct Crumb {
    double weight[3];
};

class Soup final : public pantry::Recipe {
public:
    void cook(std::size_t portions) override;

private:
    pantry::Jar<Crumb> pot_;
};

class Cake final : public pantry::Recipe {
public:
    void cook(std::size_t portions) override;

private:
    std::map<int, std::unique_ptr<char[]>> layers_;
};

void Soup::cook(std::size_t portions) { pot_.fill(portions * 40, Crumb{}); }

void Cake::cook(std::size_t portions) {
    for (std::size_t i = 0; i < portions; ++i) layers_.emplace(static_cast<int>(layers_.size()), new char[900]);
}

// Each course sits on the one before it, one call deeper.
struct Course {
    char menu[700];
    Course* next;
};

__attribute__((noinline)) Course* serve(int courses) {
    if (courses == 0) return nullptr;
    Course* next = serve(courses - 1);
    return new Course{{}, next};
}

using MallCtl = int (*)(const char*, void*, std::size_t*, void*, std::size_t);

void dump(const char* reason, const char* sample_file) {
    if (auto heap_profiler_dump = reinterpret_cast<void (*)(const char*)>(dlsym(RTLD_DEFAULT, "HeapProfilerDump")))
        heap_profiler_dump(reason);
    if (auto mallctl = reinterpret_cast<MallCtl>(dlsym(RTLD_DEFAULT, "mallctl")))
        mallctl("prof.dump", nullptr, nullptr, nullptr, 0);
    if (sample_file == nullptr) return;
    using Instance = MallocExtension* (*)();
    if (auto instance = reinterpret_cast<Instance>(dlsym(RTLD_DEFAULT, "_ZN15MallocExtension8instanceEv"))) {
        std::string sample;
        instance()->GetHeapSample(&sample);
        if (std::FILE* file = std::fopen(sample_file, "w")) {
            std::fwrite(sample.data(), 1, sample.size(), file);
            std::fclose(file);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    pantry::Pantry pantry;
    std::vector<std::unique_ptr<pantry::Recipe>> menu;
    menu.push_back(std::make_unique<Soup>());
    menu.push_back(std::make_unique<Cake>());

    std::vector<std::function<void(std::size_t)>> chores;
    pantry::Jar<pantry::Jar<int>> buttons;
    chores.push_back([&](std::size_t day) { pantry.stock(400 + day); });
    chores.push_back([&](std::size_t) { pantry.eat(150); });
    chores.push_back([&](std::size_t day) {
        pantry::Jar<int> jar;
        jar.fill(250, static_cast<int>(day));
        buttons.fill(30, jar);
    });
    chores.push_back([&](std::size_t day) { pantry::engrave("day " + std::to_string(day)); });

    Course* dinner = nullptr;
    for (std::size_t day = 0; day < 60; ++day) {
        for (auto& recipe : menu) recipe->cook(50);
        for (auto& chore : chores) chore(day);
        if (day % 5 == 0) dinner = serve(8);
    }
    dump("supper", argc > 1 ? argv[1] : nullptr);
    std::printf("%zu shelves, %zu jars of buttons, dinner %s\n", pantry.shelves(), buttons.size(), dinner ? "served" : "cold");
    return 0;
}
