// A progress line on standard error, on a terminal only and only once a phase takes a second.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace capra::tools {

class Progress {
  public:
    explicit Progress(std::string phase)
        : phase_(std::move(phase)), terminal_(::isatty(STDERR_FILENO) == 1) {}
    ~Progress() { finish(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(std::uint64_t done, std::uint64_t of) {
        show([&] {
            constexpr std::uint64_t kBar = 20;
            return fmt::format("[{:.<20}] {} of {} ({} %)", std::string(done * kBar / of, '#'),
                               done, of, done * 100 / of);
        });
    }
    void update(std::string_view doing) {
        show([&] { return doing; });
    }

    /// Shows at once what may take long and cannot be counted.
    void announce() {
        if (!terminal_) return;
        shown_ = true;
        fmt::print(stderr, "\r{} ...\x1b[K", phase_);
        std::fflush(stderr);
    }

    /// Clears the line.
    void finish() {
        if (shown_) fmt::print(stderr, "\r\x1b[K");
        shown_ = false;
    }

  private:
    using Clock = std::chrono::steady_clock;

    /// Only what is shown is formatted.
    void show(auto text) {
        const auto now = Clock::now();
        if (!terminal_ || now - start_ < std::chrono::seconds(1) ||
            now - last_ < std::chrono::milliseconds(100))
            return;
        last_ = now;
        shown_ = true;
        fmt::print(stderr, "\r{}: {}\x1b[K", phase_, text());
        std::fflush(stderr);
    }

    std::string phase_;
    bool terminal_;
    bool shown_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

}  // namespace capra::tools
