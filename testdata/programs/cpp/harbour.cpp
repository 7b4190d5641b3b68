// A harbour that unloads cargo when it is asked to, and serves its heap profile: what the scraper meets. tests/store/scrape.py builds
// and runs it.
//
//     harbour PORT
//
// The allocator comes from LD_PRELOAD: jemalloc with MALLOC_CONF=prof:true, or tcmalloc with the heap profiler. It answers
// /pprof/heap, /pprof/symbol, /pprof/cmdline, /metrics and /unload?MEGABYTES.

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace harbour {

std::vector<std::string*> quay;

__attribute__((noinline)) void stack_crates(std::size_t megabytes) {
    for (std::size_t n = 0; n < megabytes * 16; n++) {
        quay.push_back(new std::string(64 << 10, 'c'));
    }
}

__attribute__((noinline)) void unload_ship(std::size_t megabytes) {
    stack_crates(megabytes);
    asm volatile("");
}

}  // namespace harbour

using Mallctl = int (*)(const char*, void*, std::size_t*, void*, std::size_t);
using Start = void (*)(const char*);
using Profile = char* (*)();

template <typename Function>
Function loaded(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

std::string file(const char* path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string heap() {
    if (auto mallctl = loaded<Mallctl>("mallctl")) {
        char name[] = "/tmp/harbour.XXXXXX";
        close(mkstemp(name));
        const char* to = name;
        int error = mallctl("prof.dump", nullptr, nullptr, &to, sizeof to);
        std::string text = error ? "" : file(name);
        unlink(name);
        return text;
    }
    if (auto profile = loaded<Profile>("GetHeapProfile")) {
        char* text = profile();
        std::string copy = text;
        std::free(text);
        return copy + "\nMAPPED_LIBRARIES:\n" + file("/proc/self/maps");
    }
    return "";
}

// Answers 0x1234+0x5678 with a line for each address.
std::string symbols(const std::string& question) {
    std::string text;
    std::istringstream addresses(question);
    for (std::string address; std::getline(addresses, address, '+');) {
        Dl_info info;
        void* at = reinterpret_cast<void*>(std::strtoull(address.c_str(), nullptr, 16));
        bool is_known = dladdr(at, &info) && info.dli_sname;
        text += address + "\t" + (is_known ? info.dli_sname : "??") + "\n";
    }
    return text;
}

// Seconds since 1970 at which the process started.
long long started() {
    std::string stat = file("/proc/self/stat");
    std::istringstream fields(stat.substr(stat.rfind(')') + 2));
    std::string field;
    for (int n = 3; n <= 22; n++) fields >> field;
    std::string system = file("/proc/stat");
    long long boot = std::atoll(system.c_str() + system.find("btime ") + 6);
    return boot + std::atoll(field.c_str()) / sysconf(_SC_CLK_TCK);
}

std::string metrics() {
    long pages = 0;
    std::sscanf(file("/proc/self/statm").c_str(), "%*d %ld", &pages);
    std::ostringstream text;
    text << "process_resident_memory_bytes " << pages * sysconf(_SC_PAGESIZE) << "\nprocess_start_time_seconds " << started() << "\n";
    return text.str();
}

std::string answer(const std::string& path, const std::string& body) {
    if (path == "/pprof/heap") return heap();
    if (path == "/pprof/symbol") return body.empty() ? "num_symbols: 1\n" : symbols(body);
    if (path == "/pprof/cmdline") return file("/proc/self/cmdline");
    if (path == "/metrics") return metrics();
    if (path.rfind("/unload?", 0) == 0) {
        harbour::unload_ship(std::strtoul(path.c_str() + 8, nullptr, 10));
        return "unloaded\n";
    }
    return "";
}

int main(int, char** args) {
    // Before anything is allocated.
    if (auto start = loaded<Start>("HeapProfilerStart")) start("/tmp/harbour");
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(std::atoi(args[1]));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<sockaddr*>(&here), sizeof here) || listen(listener, 16)) return 1;
    harbour::unload_ship(8);
    for (;;) {
        int client = accept(listener, nullptr, nullptr);
        std::string request;
        char piece[4096];
        std::size_t length = 0, end;
        for (ssize_t n; (n = read(client, piece, sizeof piece)) > 0;) {
            request.append(piece, n);
            if ((end = request.find("\r\n\r\n")) == std::string::npos) continue;
            if (auto at = strcasestr(request.c_str(), "content-length: ")) length = std::atoll(at + 16);
            if (request.size() >= end + 4 + length) break;
        }
        std::string path = request.substr(request.find(' ') + 1);
        path = path.substr(0, path.find(' '));
        std::string text = answer(path, request.substr(request.find("\r\n\r\n") + 4));
        std::string head = text.empty() ? "HTTP/1.1 404 Not Found" : "HTTP/1.1 200 OK";
        head += "\r\nContent-Length: " + std::to_string(text.size()) + "\r\nConnection: close\r\n\r\n";
        text = head + text;
        for (std::size_t at = 0; at < text.size();) {
            ssize_t n = write(client, text.data() + at, text.size() - at);
            if (n <= 0) break;
            at += n;
        }
        close(client);
    }
}
