// The shared library's side of the kitchen: jars (a template) and a pantry that stocks and eats.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pantry {

// Holds things of one kind; every instantiation allocates at an address of its own.
template <typename Thing>
class Jar {
public:
    // Inlined everywhere, so profiles show it as an inlined frame.
    inline __attribute__((always_inline)) void put(Thing thing) { things_.push_back(std::move(thing)); }
    __attribute__((noinline)) void fill(std::size_t count, const Thing& thing) {
        for (std::size_t i = 0; i < count; ++i) put(thing);
    }
    std::size_t size() const { return things_.size(); }

private:
    std::vector<Thing> things_;
};

// A recipe knows what it puts on the table; the kitchen calls it without knowing which one it is.
class Recipe {
public:
    virtual ~Recipe() = default;
    virtual void cook(std::size_t portions) = 0;
};

class Pantry {
public:
    void stock(std::size_t shelves);
    void eat(std::size_t shelves);
    std::size_t shelves() const { return shelves_.size(); }

private:
    std::vector<std::unique_ptr<Jar<std::string>>> shelves_;
};

// Keeps the label forever: the leak of this program, inside the shared library.
const char* engrave(const std::string& label);

}  // namespace pantry
