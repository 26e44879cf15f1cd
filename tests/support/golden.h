/* tests/support/golden.h - the lines of tests/whole/golden.txt, and the hash that they hold
 * (tests/whole/test_golden.c). */
#ifndef TH_TESTS_SUPPORT_GOLDEN_H
#define TH_TESTS_SUPPORT_GOLDEN_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "throng/world.h"

#define GOLDEN_FILE "tests/whole/golden.txt"
enum { GOLDEN_EARLY = 20, GOLDEN_MAX_LINES = 512 };

typedef struct golden_line {
  char name[64];
  uint32_t steps;
  uint64_t hash, early;
} golden_line;

typedef struct golden_lines {
  golden_line line[GOLDEN_MAX_LINES];
  uint32_t count;
} golden_lines;

/* Returns 0, or the number of a line that is wrong; 1 also when there is no file. */
static inline uint32_t golden_read(golden_lines *golden) {
  FILE *file = fopen(GOLDEN_FILE, "r");
  char text[256];
  uint32_t number = 1, wrong = file ? 0 : 1;
  golden->count = 0;
  for (; !wrong && fgets(text, sizeof text, file); number++) {
    golden_line *l = &golden->line[golden->count];
    if (text[0] == '#') continue;
    if (golden->count == GOLDEN_MAX_LINES ||
        sscanf(text, "%63s %" SCNu32 " %" SCNx64 " %" SCNx64, l->name, &l->steps, &l->hash, &l->early) != 4)
      wrong = number;
    else
      golden->count++;
  }
  if (file) fclose(file);
  return wrong;
}

/* The file of a scene; those of the matrix lie in a folder of that name, which is made. */
static inline void golden_scene_path(const char *name, const char *matrix, char *path, size_t size) {
  const bool made = strncmp(name, "matrix/", 7) == 0;
  snprintf(path, size, "%s/%s.json", made ? matrix : "scenes", made ? name + 7 : name);
}

typedef struct golden_entry {
  uint32_t id, row;
} golden_entry;

static inline int golden_by_id(const void *a, const void *b) {
  const golden_entry *p = (const golden_entry *)a, *q = (const golden_entry *)b;
  return (p->id > q->id) - (p->id < q->id);
}

static inline uint64_t golden_hash(const th_world *world) {
  th_agents a = th_world_agents(world);
  golden_entry *order = (golden_entry *)malloc((a.count + 1) * sizeof *order);
  if (!order) return 0;
  for (uint32_t i = 0; i < a.count; i++) order[i] = (golden_entry){a.id[i].index, i};
  qsort(order, a.count, sizeof *order, golden_by_id);
  th_hash hash = th_hash_begin(0);
  for (uint32_t i = 0; i < a.count; i++) {
    uint32_t row = order[i].row;
    float number[] = {a.x[row], a.y[row], a.vx[row], a.vy[row], a.hx[row], a.hy[row]};
    th_hash_u32(&hash, &a.cell[row], 1);
    th_hash_float(&hash, number, sizeof number / sizeof *number);
    th_hash_bytes(&hash, &a.state[row], 1);
  }
  free(order);
  return th_hash_end(&hash);
}

#endif
