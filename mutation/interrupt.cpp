#include "mutation/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace capra::mutation {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note(int signal) {
    noted = signal;
}

}  // namespace

void note_interrupts() {
    noted = 0;
    struct sigaction action {};
    action.sa_handler = note;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void throw_if_interrupted() {
    if (noted != 0) throw Interrupted(noted);
}

}  // namespace capra::mutation
