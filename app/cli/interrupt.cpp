#include "app/cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace weir::cli {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set from a signal handler");

void on_signal(int number) {
  asked_to_stop = true;
  std::signal(number, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return asked_to_stop; }

}  // namespace weir::cli
