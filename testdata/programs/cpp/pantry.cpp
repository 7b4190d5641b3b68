#include "pantry.hpp"

#include <cstdlib>
#include <cstring>

namespace pantry {

namespace {

// No name outside this file.
__attribute__((noinline)) std::string label_for(std::size_t shelf) {
    return "shelf number " + std::to_string(shelf) + ", not to be opened before winter";
}

}  // namespace

void Pantry::stock(std::size_t shelves) {
    for (std::size_t i = 0; i < shelves; ++i) {
        auto jar = std::make_unique<Jar<std::string>>();
        jar->fill(5, label_for(shelves_.size()));
        shelves_.push_back(std::move(jar));
    }
}

void Pantry::eat(std::size_t shelves) {
    while (shelves-- > 0 && !shelves_.empty()) shelves_.pop_back();
}

const char* engrave(const std::string& label) {
    char* plate = static_cast<char*>(std::malloc(4096));
    std::strncpy(plate, label.c_str(), 4096);
    return plate;
}

}  // namespace pantry
