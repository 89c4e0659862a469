// The tile as a reference, under Verilator: several of it side by side, which wake up in different states and take the
// same steps. What all of them show is known; where they differ it depends on what nobody knows, and is unknown. The
// first wakes up with all registers 0, the second with all 1, so that each bit which depends on a single register is
// found out; the others by chance, the same each time. From the 33rd on every other one has lived before: a chip that
// was used is in a state that it was brought to, and those are few among all levels of its registers.
//
// A step is 8 bytes: flags, clocks, ui, uio, the uio bits that the bench drives, the unknown bits of ui, those of uio,
// and which of 256 slots it is for: each has tiles of its own. A sample is 8: uo and its unknown bits, uio likewise, the
// uio bits that the tile drives likewise, those that both sides have driven during the step, and 0. The number of tiles
// of a slot is the first argument, the level of rst_n that does not reset them the second. One sample goes ahead.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unistd.h>
#include <vector>

#include "Vutfbench_pins.h"
#include "verilated.h"

namespace {

constexpr uint64_t SETTLE = 1000000; // a microsecond in picoseconds, after each change
constexpr unsigned UNUSED = 32;      // so many tiles wake up, and have not lived before
constexpr int CHUNK = 4096;          // steps that are read, and samples that are written, at a time
// Flags. WAKE: all of them wake up anew, before the step. RST_UNKNOWN, CLK_UNKNOWN: nobody knows rst_n, or whether
// there are clocks at all. OWN: the sample has what the tile puts on uio, and not what the lines show.
constexpr uint8_t RST_N = 1, WAKE = 2, RST_UNKNOWN = 4, CLK_UNKNOWN = 8, OWN = 16;

struct Step { uint8_t flags, clocks, ui, uio, drive, ui_unknown, uio_unknown, slot; };
struct Sample { uint8_t uo, uo_unknown, uio, uio_unknown, enable, enable_unknown, both, none; };

class Tile {
public:
  // Rst_n begins at the level that resets nothing: an asynchronous reset acts by its level, and in a simulation by its
  // edge.
  Tile(unsigned number, bool released) : number(number), random(0x9E3779B97F4A7C15ull * (number + 1)) {
    context.timeprecision(-12);
    context.randReset(number < 2 ? int(number) : 2);
    context.randSeed(int(number) + 1);
    Verilated::threadContextp(&context);
    pins.reset(new Vutfbench_pins(&context));
    pins->clk = 0; // the pins are the bench's, and not of what wakes up
    pins->rst_n = released;
    pins->ui = pins->level = pins->drive = pins->loose = 0;
    settle();
    if (number >= UNUSED && number % 2) live();
  }
  ~Tile() { pins->final(); }

  void apply(const Step &s) {
    Verilated::threadContextp(&context);
    both = 0;
    own = s.flags & OWN;
    const uint8_t loose = guess(), rst = s.flags & RST_UNKNOWN ? number & 1 : s.flags & RST_N;
    const uint8_t ui = s.ui ^ (guess() & s.ui_unknown), level = s.uio ^ (guess() & s.uio_unknown);
    const uint8_t released = pins->drive & s.drive;
    if (pins->drive != released || pins->rst_n != rst || pins->ui != ui || pins->loose != loose) {
      pins->drive = released;
      pins->rst_n = rst;
      pins->ui = ui;
      pins->loose = loose;
      settle();
    }
    if (pins->drive != s.drive || pins->level != level) {
      pins->level = level;
      pins->drive = s.drive;
      settle();
    }
    both |= pins->drive & pins->enable;
    for (int n = s.flags & CLK_UNKNOWN && !(number & 1) ? 0 : s.clocks; n > 0; n--) {
      pins->clk = 1;
      settle();
      pins->clk = 0;
      settle();
    }
  }

  // add takes what this tile shows into a sample that has what the others show.
  void add(Sample &s) const {
    const uint8_t uio = own ? pins->own : pins->uio;
    if (number == 0) s = Sample{pins->uo, 0, uio, 0, pins->enable, 0, 0, 0};
    s.uo_unknown |= s.uo ^ pins->uo;
    s.uio_unknown |= s.uio ^ uio;
    if (!own) s.uio_unknown |= ~(pins->drive | pins->enable);
    s.enable_unknown |= s.enable ^ pins->enable;
    s.both |= both;
  }

  bool finished() const { return context.gotFinish(); }

private:
  // settle lets time pass until nothing moves any more, or a microsecond is over.
  void settle() {
    const uint64_t until = context.time() + SETTLE;
    pins->eval();
    while (pins->eventsPending() && pins->nextTimeSlot() <= until) {
      context.time(pins->nextTimeSlot());
      pins->eval();
    }
    context.time(until);
    both |= pins->drive & pins->enable;
  }

  // live makes clocks by chance, with a reset now and then, and inputs that stay, change a bit or are all new.
  void live() {
    const bool released = pins->rst_n;
    for (int n = 64 + guess(); n > 0; n--) {
      const uint8_t kind = guess();
      pins->rst_n = kind < 4 ? !released : released;
      if (kind & 1) pins->ui = kind & 2 ? guess() : pins->ui ^ 1 << guess() % 8;
      pins->loose = kind & 4 ? guess() : pins->loose;
      settle();
      pins->clk = 1;
      settle();
      pins->clk = 0;
      settle();
    }
    pins->rst_n = released;
    pins->ui = pins->loose = 0;
    settle();
  }

  // guess gives eight levels that nobody knows.
  uint8_t guess() {
    if (number < 2) return number ? 0xFF : 0;
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return uint8_t(random >> 32);
  }

  const unsigned number;
  uint64_t random;
  uint8_t both = 0; // lines of uio that both sides have driven
  bool own = false; // the last step asked for what the tile puts on uio
  VerilatedContext context;
  std::unique_ptr<Vutfbench_pins> pins;
};

using Tiles = std::vector<std::unique_ptr<Tile>>; // of a slot; empty until they wake up

Tiles slots[256];
unsigned states = 2;
bool released = true;

void wake(Tiles &tiles) {
  tiles.resize(states);
  for (unsigned i = 0; i < states; i++) {
    tiles[i].reset();
    tiles[i].reset(new Tile(i, released));
  }
}

Sample sample(const Tiles &tiles) {
  Sample s{};
  for (auto &t : tiles) t->add(s);
  return s;
}

bool put(const void *from, size_t n) {
  auto p = static_cast<const char *>(from);
  while (n > 0) {
    const ssize_t done = write(4, p, n);
    if (done <= 0) return false;
    p += done, n -= size_t(done);
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1) states = unsigned(atoi(argv[1]));
  if (argc > 2) released = atoi(argv[2]) != 0;
  wake(slots[0]);
  Sample first = sample(slots[0]);
  if (!put(&first, sizeof first)) return 0;
  static Step in[CHUNK];
  static Sample out[CHUNK];
  size_t have = 0;
  for (;;) {
    const ssize_t n = read(3, reinterpret_cast<char *>(in) + have, sizeof in - have);
    if (n <= 0) break; // the bench has closed its end, or is no more
    have += size_t(n);
    const size_t steps = have / sizeof in[0];
    for (size_t i = 0; i < steps; i++) {
      Tiles &tiles = slots[in[i].slot];
      if (in[i].flags & WAKE || tiles.empty()) wake(tiles);
      for (auto &t : tiles) t->apply(in[i]);
      out[i] = sample(tiles);
      if (tiles[0]->finished()) {
        put(out, i * sizeof out[0]);
        return 0;
      }
    }
    if (!put(out, steps * sizeof out[0])) break;
    have -= steps * sizeof in[0];
    auto rest = reinterpret_cast<char *>(in);
    for (size_t i = 0; i < have; i++) rest[i] = rest[i + steps * sizeof in[0]];
  }
  return 0;
}
