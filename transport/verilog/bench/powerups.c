// The tile as a reference under Icarus: what powerups.cpp is under Verilator, with the same steps and samples, which
// says what they are. powerups.v has the tiles and lets time pass; this is what is done to all of them at a time, by the
// simulator's programming interface (IEEE 1364-2005, clause 26), since Verilog cannot name all variables of somebody's
// design, and is slow at the rest.
//
// Icarus knows X, and takes the other branch of an `if` of which it does not know the condition, so that an X becomes a
// level that no chip has. So there is none: each variable that is X gets a level when the tile wakes up, and all
// variables and nets are watched. Of a state in which one becomes X later (an index beyond a memory, an 'x in the
// sources, a net that nothing drives) nothing is known from then on until it wakes up anew. What is X within a condition
// alone, and never in a variable or a net, is not seen: `if (a % b == 0)` where b is 0.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vpi_user.h>
#ifdef __has_include
#if __has_include(<sv_vpi_user.h>)
#include <sv_vpi_user.h>
#endif
#endif

enum { UNUSED = 32, CHUNK = 4096 };
enum { RST_N = 1, WAKE = 2, RST_UNKNOWN = 4, CLK_UNKNOWN = 8, OWN = 16, FLUSH = 128 };

static struct { uint8_t flags, clocks, ui, uio, drive, ui_unknown, uio_unknown, slot; } step;

struct tile;

// A variable, a word of a memory, or a net.
struct object {
  vpiHandle handle;
  struct tile *tile;
  int words;           // of 32 bits
  int unknown;         // it has an X
  s_vpi_vecval *first; // what it has before it wakes up, X where it has nothing; 0 for a net
  int open;            // some of that is X
  struct object *next;
};

// A line of the tile's pins: a register of powerups.v that is put, or a net that is looked at.
struct line {
  vpiHandle handle;
  int32_t level; // that was put
};

static struct tile {
  int number;
  uint64_t random;
  int unknown; // so many objects have an X now
  int lost;    // one had, so nothing is known of it
  uint8_t both, next;
  struct line clk, rst_n, ui, level, drive, loose, uo, uio, own, enable;
  struct object *objects;
} *tiles;

static int states, released = 1;

static int unknown(const s_vpi_vecval *v, int words) {
  for (int i = 0; i < words; i++)
    if (v[i].bval) return 1;
  return 0;
}

static s_vpi_vecval *vector(vpiHandle h) {
  s_vpi_value v = {.format = vpiVectorVal};
  vpi_get_value(h, &v);
  return v.value.vector;
}

static void count(struct object *o) {
  const int now = unknown(vector(o->handle), o->words);
  o->tile->unknown += now - o->unknown;
  o->unknown = now;
  if (now) o->tile->lost = 1;
}

static PLI_INT32 changed(p_cb_data data) {
  count((struct object *)data->user_data);
  return 0;
}

static void add(struct tile *t, vpiHandle h, int put, int two_state) {
  struct object *o = calloc(1, sizeof *o);
  const int width = vpi_get(vpiSize, h);
  o->handle = h;
  o->tile = t;
  o->words = (width + 31) / 32;
  o->next = t->objects;
  t->objects = o;
  if (put) {
    o->first = malloc(o->words * sizeof *o->first);
    memcpy(o->first, vector(h), o->words * sizeof *o->first);
    for (int i = 0; i < o->words; i++) two_state = two_state && !o->first[i].aval && !o->first[i].bval;
    for (int i = 0; two_state && i < o->words; i++) o->first[i].bval = 0xFFFFFFFF; // 0 is what it has by default
    if (width % 32) o->first[o->words - 1].bval &= (1u << width % 32) - 1;
    for (int i = 0; i < o->words; i++) o->open |= o->first[i].bval != 0;
  }
}

// watch asks for a call whenever it changes.
static void watch(struct object *o) {
  s_vpi_time never = {.type = vpiSuppressTime};
  s_vpi_value none = {.format = vpiSuppressVal};
  s_cb_data data = {.reason = cbValueChange, .cb_rtn = changed, .obj = o->handle, .time = &never, .value = &none,
                    .user_data = (PLI_BYTE8 *)o};
  vpi_register_cb(&data);
  count(o);
}

static void each(struct tile *t, vpiHandle scope, PLI_INT32 kind, int put, int two_state) {
  vpiHandle all = vpi_iterate(kind, scope), h;
  while (all && (h = vpi_scan(all))) {
    add(t, h, put, two_state);
    watch(t->objects);
  }
}

// memory is words. Those of a memory without X are left as they are: Icarus 11 crashes where one that knows no X is put
// or watched, as of bits or bytes.
static void memory(struct tile *t, vpiHandle memory) {
  vpiHandle all = vpi_iterate(vpiMemoryWord, memory), h;
  int open = 0;
  while (all && (h = vpi_scan(all))) open |= unknown(vector(h), (vpi_get(vpiSize, h) + 31) / 32);
  if (open) each(t, memory, vpiMemoryWord, 1, 0);
}

static void learn(struct tile *t, vpiHandle scope) {
  static const PLI_INT32 two_state[] = {vpiBitVar, vpiByteVar, vpiShortIntVar, vpiIntVar, vpiLongIntVar};
  static const PLI_INT32 inner[] = {vpiModule, vpiNamedBegin, vpiNamedFork, vpiGenScope};
  each(t, scope, vpiReg, 1, 0);
  each(t, scope, vpiIntegerVar, 1, 0);
  for (size_t i = 0; i < sizeof two_state / sizeof *two_state; i++) each(t, scope, two_state[i], 1, 1);
  each(t, scope, vpiNet, 0, 0);
  vpiHandle all = vpi_iterate(vpiMemory, scope), h;
  while (all && (h = vpi_scan(all))) memory(t, h);
  for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
    all = vpi_iterate(inner[i], scope);
    while (all && (h = vpi_scan(all))) learn(t, h);
  }
}

static uint8_t guess(struct tile *t) {
  if (t->number < 2) return t->number ? 0xFF : 0;
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return (uint8_t)(t->random >> 32);
}

static uint32_t guess32(struct tile *t) {
  uint32_t v = 0;
  for (int i = 0; i < 4; i++) v = v << 8 | guess(t);
  return v;
}

// put gives a variable a level.
static void put(struct object *o, s_vpi_vecval *v) {
  s_vpi_value value = {.format = vpiVectorVal, .value.vector = v};
  vpi_put_value(o->handle, &value, 0, vpiNoDelay);
}

static void set(struct line *l, int32_t level) {
  if (l->level == level) return;
  l->level = level;
  s_vpi_value v = {.format = vpiIntVal, .value.integer = level};
  vpi_put_value(l->handle, &v, 0, vpiNoDelay);
}

static uint8_t look(const struct line *l) { return (uint8_t)vector(l->handle)->aval; }

// The calls of powerups.v. Each is about all tiles.

// power is before anything else. The pins are the bench's, and not of what wakes up. rst_n begins at the level that
// resets nothing: an asynchronous reset acts by its level, and in a simulation by its edge.
static void power(struct tile *t) {
  set(&t->clk, 0);
  set(&t->rst_n, released);
  set(&t->ui, 0);
  set(&t->level, 0);
  set(&t->drive, 0);
  set(&t->loose, 0);
}

// sleep brings all variables back to what they had before they woke up, X included. What follows from an X is X, or
// will change when that gets a level.
static void sleeping(struct tile *t) {
  t->random = 0x9E3779B97F4A7C15ull * (uint64_t)(t->number + 1);
  for (struct object *o = t->objects; o; o = o->next)
    if (o->first) put(o, o->first);
}

// wake gives what is X a level by chance, and leaves alone what follows from the pins or what an `initial` gave.
static void wake(struct tile *t) {
  for (struct object *o = t->objects; o; o = o->next) {
    if (!o->open) continue;
    s_vpi_vecval v[o->words];
    for (int i = 0; i < o->words; i++) {
      const uint32_t open = o->first[i].bval;
      v[i].aval = (o->first[i].aval & ~open) | (guess32(t) & open);
      v[i].bval = 0;
    }
    put(o, v);
  }
}

// shake moves the inputs and back, so that what follows from them alone is worked out. rst_n stays as it is.
static void shake(struct tile *t) {
  set(&t->ui, 0xFF);
  set(&t->loose, 0xFF);
}
static void still(struct tile *t) {
  set(&t->ui, 0);
  set(&t->loose, 0);
}
static void woken(struct tile *t) { t->lost = t->unknown != 0; }

// A chip that was used is in a state that it was brought to: clocks by chance, with a reset now and then, and inputs
// that stay, change a bit or are all new.
static void live(struct tile *t) {
  if (t->number < UNUSED || t->number % 2 == 0) return;
  const uint8_t kind = guess(t);
  set(&t->rst_n, kind < 4 ? !released : released);
  if (kind & 1) set(&t->ui, kind & 2 ? guess(t) : t->ui.level ^ 1 << guess(t) % 8);
  if (kind & 4) set(&t->loose, guess(t));
}
// A life that went beyond what is known was none.
static void lived(struct tile *t) {
  set(&t->rst_n, released);
  set(&t->ui, 0);
  set(&t->loose, 0);
  if (t->unknown) sleeping(t), wake(t);
}

static void first(struct tile *t) {
  t->both = 0;
  set(&t->loose, guess(t));
  set(&t->drive, t->drive.level & step.drive);
  set(&t->rst_n, step.flags & RST_UNKNOWN ? t->number & 1 : step.flags & RST_N);
  set(&t->ui, step.ui ^ (guess(t) & step.ui_unknown));
  t->next = step.uio ^ (guess(t) & step.uio_unknown);
}
static void second(struct tile *t) {
  set(&t->level, t->next);
  set(&t->drive, step.drive);
}
static void rise(struct tile *t) { set(&t->clk, step.flags & CLK_UNKNOWN ? t->number & 1 : 1); }
static void fall(struct tile *t) { set(&t->clk, 0); }
static void settled(struct tile *t) {
  if (t->drive.level) t->both |= (uint8_t)t->drive.level & look(&t->enable);
}

// show writes a sample: what all states show is known.
static void show(void) {
  struct { uint8_t uo, uo_unknown, uio, uio_unknown, enable, enable_unknown, both, none; } s = {0};
  static uint8_t out[CHUNK * sizeof s];
  static size_t have;
  for (int i = 0; i < states; i++) {
    struct tile *t = &tiles[i];
    const int own = step.flags & OWN;
    const uint8_t uo = look(&t->uo), uio = look(own ? &t->own : &t->uio), enable = look(&t->enable);
    if (i == 0) s.uo = uo, s.uio = uio, s.enable = enable;
    s.uo_unknown |= s.uo ^ uo;
    s.uio_unknown |= s.uio ^ uio;
    if (!own) s.uio_unknown |= (uint8_t)~(t->drive.level | enable);
    s.enable_unknown |= s.enable ^ enable;
    s.both |= t->both;
    if (t->lost) s.uo_unknown = s.uio_unknown = s.enable_unknown = 0xFF, s.both |= (uint8_t)t->drive.level;
  }
  memcpy(out + have, &s, sizeof s);
  have += sizeof s;
  if (have < sizeof out && !(step.flags & FLUSH)) return;
  for (size_t at = 0; at < have;) {
    const ssize_t n = write(4, out + at, have - at);
    if (n <= 0) exit(0); // the bench is no more
    at += (size_t)n;
  }
  have = 0;
}

// next reads a step; it is 0 when the bench has closed its end, or is no more, and 1 + the clocks otherwise, with 256
// where the tiles wake up anew.
static int next(void) {
  static FILE *in;
  if (!in) in = fdopen(3, "rb");
  if (fread(&step, sizeof step, 1, in) != 1) return 0;
  return 1 + step.clocks + (step.flags & WAKE ? 256 : 0);
}

// find finds the tiles: utfbench_powerups.states[N].state, with the tile's pins.
static void find(void) {
  static const char *names[] = {"clk", "rst_n", "ui", "level", "drive", "loose", "uo", "uio", "own", "enable"};
  char name[80];
  s_vpi_vlog_info info;
  if (vpi_get_vlog_info(&info))
    for (int i = 0; i < info.argc; i++)
      if (!strcmp(info.argv[i], "+released=0")) released = 0;
  for (states = 0;; states++) {
    snprintf(name, sizeof name, "utfbench_powerups.states[%d].state", states);
    if (!vpi_handle_by_name(name, 0)) break;
  }
  tiles = calloc((size_t)states, sizeof *tiles);
  for (int i = 0; i < states; i++) {
    struct line *lines = &tiles[i].clk;
    tiles[i].number = i;
    for (int n = 0; n < 10; n++) {
      snprintf(name, sizeof name, "utfbench_powerups.states[%d].state.%s", i, names[n]);
      lines[n].handle = vpi_handle_by_name(name, 0);
      lines[n].level = -1;
    }
  }
  step.flags = FLUSH;
}

// learned is once the pins have levels, so that what follows from them is known: what is X then is the tile's own.
static void learned(struct tile *t) {
  char name[80];
  snprintf(name, sizeof name, "utfbench_powerups.states[%d].state.pins.tile", t->number);
  learn(t, vpi_handle_by_name(name, 0));
}

static struct call {
  PLI_BYTE8 *name;
  void (*tile)(struct tile *t);
  void (*all)(void);
} calls[] = {
    {"$utfbench_find", 0, find}, {"$utfbench_learn", learned, 0}, {"$utfbench_power", power, 0}, {"$utfbench_sleep", sleeping, 0},
    {"$utfbench_shake", shake, 0}, {"$utfbench_still", still, 0},
    {"$utfbench_wake", wake, 0},   {"$utfbench_woken", woken, 0}, {"$utfbench_live", live, 0},
    {"$utfbench_lived", lived, 0}, {"$utfbench_first", first, 0}, {"$utfbench_second", second, 0},
    {"$utfbench_rise", rise, 0},   {"$utfbench_fall", fall, 0},   {"$utfbench_settled", settled, 0},
    {"$utfbench_show", 0, show}};

static PLI_INT32 called(PLI_BYTE8 *data) {
  const struct call *c = (struct call *)(void *)data;
  if (c->all) c->all();
  for (int i = 0; c->tile && i < states; i++) c->tile(&tiles[i]);
  return 0;
}

static PLI_INT32 asked(PLI_BYTE8 *unused) {
  (void)unused;
  s_vpi_value v = {.format = vpiIntVal, .value.integer = next()};
  vpi_put_value(vpi_handle(vpiSysTfCall, 0), &v, 0, vpiNoDelay);
  return 0;
}

static void enlist(void) {
  s_vpi_systf_data f = {.type = vpiSysFunc, .sysfunctype = vpiIntFunc, .tfname = "$utfbench_next", .calltf = asked};
  vpi_register_systf(&f);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    s_vpi_systf_data t = {.type = vpiSysTask, .tfname = calls[i].name, .calltf = called,
                          .user_data = (PLI_BYTE8 *)(void *)&calls[i]};
    vpi_register_systf(&t);
  }
}

void (*vlog_startup_routines[])(void) = {enlist, 0};
