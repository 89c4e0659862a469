// The far end of the transport under Verilator: the protocol of tile.v without the cost of the simulator's scheduler
// and its $fread. tile.v specifies steps and samples.
#include <cstdint>
#include <unistd.h>

#include "Vutfbench_pins.h"
#include "verilated.h"

namespace {

constexpr uint64_t SETTLE = 1000000; // a microsecond in picoseconds, after each change
constexpr int CHUNK = 4096;          // maximum steps per read and samples per write
constexpr uint8_t RST_N = 1, FLUSH = 2, LEVELS = 4, DRIVE = 8, LINGER = 16;

VerilatedContext context;
Vutfbench_pins tile(&context);
uint8_t both; // lines of uio driven from both sides in this step

// settle lets time pass until nothing changes, for at most a microsecond.
void settle() {
  const uint64_t until = context.time() + SETTLE;
  tile.eval();
  while (tile.eventsPending() && tile.nextTimeSlot() <= until) {
    context.time(tile.nextTimeSlot());
    tile.eval();
  }
  context.time(until);
  both |= tile.drive & tile.enable;
}

uint64_t sample() {
  return uint64_t(tile.uo) << 24 | uint64_t(tile.uio) << 16 | uint64_t(tile.enable) << 8 |
         uint8_t(both | (tile.drive & tile.enable));
}

void apply(const uint8_t *step) {
  const uint8_t flags = step[0];
  const uint8_t held = flags & LINGER ? tile.drive & ~step[4] : 0;
  if (flags & LEVELS) {
    tile.drive &= step[4] | held;
    tile.rst_n = (flags & RST_N) != 0;
    tile.ui = step[2];
    settle();
  }
  if (flags & DRIVE) {
    tile.level = (step[3] & ~held) | (tile.level & held);
    tile.drive = step[4] | held;
    settle();
  }
  for (int n = step[1]; n > 0; n--) {
    if (held) { // released lines keep their levels until the tile drives them
      tile.loose = n == step[1] ? tile.level & held : 0;
      tile.drive = step[4];
    }
    tile.clk = 1;
    settle();
    tile.loose = 0;
    tile.clk = 0;
    settle();
  }
}

bool put(const void *from, size_t n) {
  auto p = static_cast<const char *>(from);
  while (n > 0) {
    const ssize_t done = write(4, p, n);
    if (done <= 0) return false;
    p += done, n -= done;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  context.commandArgs(argc, argv);
  context.timeprecision(-12);
  tile.clk = 0; // the pins belong to the bench and have no random power-up state
  tile.ui = tile.level = tile.drive = tile.loose = 0;
  tile.rst_n = 1;
  settle();
  tile.rst_n = 0; // as an edge: an asynchronous reset acts by its level on a chip, but by an edge in a simulation
  settle();
  both = 0;
  uint64_t first = sample();
  if (!put(&first, sizeof first)) return 0;
  static uint8_t in[CHUNK * 5];
  static uint64_t out[CHUNK];
  size_t have = 0;
  for (;;) {
    const ssize_t n = read(3, in + have, sizeof in - have);
    if (n <= 0) break; // the bench has closed its end
    have += n;
    const size_t steps = have / 5;
    for (size_t i = 0; i < steps; i++) {
      apply(in + 5 * i);
      out[i] = sample();
      both = 0;
      if (context.gotFinish()) {
        put(out, i * sizeof out[0]);
        tile.final();
        return 0;
      }
    }
    if (!put(out, steps * sizeof out[0])) break;
    for (size_t i = 5 * steps; i < have; i++) in[i - 5 * steps] = in[i];
    have -= 5 * steps;
  }
  tile.final();
  return 0;
}
