// Ending a campaign early and tidily: a signal sets a flag, the campaign throws at the next
// convenient place, and destructors remove what it made.
#pragma once

#include <exception>

namespace capra::mutation {

class Interrupted : public std::exception {
  public:
    explicit Interrupted(int signal) : signal_(signal) {}
    [[nodiscard]] int signal() const { return signal_; }
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }

  private:
    int signal_;
};

/// From now on SIGINT, SIGTERM and SIGHUP only leave a note; there is none yet.
void note_interrupts();

/// Throws Interrupted once a signal has been noted.
void throw_if_interrupted();

}  // namespace capra::mutation
