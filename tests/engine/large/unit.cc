// A unit of the large program: much debug information, and frames of the program and of the standard library.
#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

extern "C" void leaf(int);
extern "C" int call(int unit, int depth);

namespace {
struct Item {
    std::string name;
    std::map<int, std::vector<std::string>> rows;
    std::function<int(int)> next;
};
template <typename T> struct Shelf {
    std::vector<T> items;
    int visit(int unit, int depth) {
        std::for_each(items.begin(), items.end(), [&](T &item) { item.next(depth); });
        return call(unit, depth - 1) + static_cast<int>(items.size());
    }
};
std::regex word("[a-z]+(\\d*)");
} // namespace

extern "C" int entry(int unit, int depth) {
    if (depth <= 0) {
        leaf(unit);
        return 1;
    }
    Shelf<Item> shelf;
    std::unordered_map<std::string, std::set<int>> seen;
    std::smatch match;
    std::string text = "x" + std::to_string(depth);
    if (std::regex_match(text, match, word)) seen[match[1]].insert(unit);
    shelf.items.push_back({text, {{depth, {text}}}, [&](int d) { return d > 99 ? call(unit, d) : 0; }});
    std::ostringstream out;
    out << std::accumulate(seen.begin(), seen.end(), 0, [](int n, auto &p) { return n + static_cast<int>(p.second.size()); });
    std::variant<int, std::string, Item> any = text;
    std::function<int()> later = [&] { return shelf.visit(unit, depth); };
    return std::visit([&](auto &) { return later(); }, any) + static_cast<int>(out.str().size());
}
