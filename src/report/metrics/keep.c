/* report/metrics/keep.c - the numbers of a run as bytes, for its recording.
 *
 * A recording has rounded headings and perhaps only every tenth step, so that contacts, paths and crossings counted
 * from its frames differ from those of the run. So a run keeps what it has counted, and whoever reads the recording
 * gets the same bits. Only what answers are made of is kept; such numbers cannot be continued by further steps. A hash
 * guards the block. Cost: about 150 bytes per agent.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "report/metrics/metrics.h"

#define MAGIC 0x32736d756e6874ull /* "thnums2" */

/* Member by member: bytes between members are not defined, and equal runs give equal files. */
/* clang-format off */
#define LIFE(X) \
  X(id.index) X(id.generation) X(entered) X(set_off) X(arrived) X(last_arrival) X(path) X(turning) X(under_way) \
  X(seen) X(rest.x) X(rest.y) X(rest.z) X(rest_since) X(lost) X(stuck) X(queued) X(displaced) X(walks) X(bound) \
  X(goal)
#define SUMS(X) \
  X(dt) X(sample) X(time) X(contact) X(min_within) X(steps) X(step) X(min_distance) X(worst_overlap) X(worst_full) \
  X(contact_seconds) X(contacts) X(wall_contacts) X(wall_seconds) X(worst_wall) X(motion) X(arrived)
/* clang-format on */
#define AREA(X) X(name) X(size) X(now) X(most) X(most_time) X(density_sum) X(speed_sum) X(steps) X(people)

static void write_lines(const th_metrics *m, th_byte_writer *writer) {
  for (uint32_t k = 0; k < m->line_count; k++) {
    const th_line_log *line = &m->line[k];
    TH_WRITE(writer, line->name);
    TH_WRITE(writer, line->count);
    for (uint32_t i = 0; i < line->count; i++) {
      TH_WRITE(writer, line->crossing[i].time);
      TH_WRITE(writer, line->crossing[i].forwards);
    }
  }
}

static void write_areas(const th_metrics *m, th_byte_writer *writer) {
  for (uint32_t k = 0; k < m->area_count; k++) {
    const th_area_log *area = &m->area[k];
#define X(member) TH_WRITE(writer, area->member);
    AREA(X)
#undef X
    th_bytes_write(writer, area->density, sizeof(double) * m->curve_count);
    th_bytes_write(writer, area->speed, sizeof(double) * m->curve_count);
  }
}

static void write_all(const th_metrics *m, th_byte_writer *writer) {
  const uint64_t magic = MAGIC;
  TH_WRITE(writer, magic);
#define X(member) TH_WRITE(writer, m->member);
  SUMS(X)
  X(life_count)
  X(known_capacity)
  X(curve_count)
  X(line_count)
  X(area_count)
  X(exit_count)
#undef X
  for (uint32_t k = 0; k < m->life_count; k++) {
    const th_life *life = &m->life[k];
#define X(member) TH_WRITE(writer, life->member);
    LIFE(X)
#undef X
  }
  th_bytes_write(writer, m->known, sizeof *m->known * m->known_capacity);
  for (uint32_t k = 0; k < m->curve_count; k++) {
    TH_WRITE(writer, m->curve[k].time);
    TH_WRITE(writer, m->curve[k].present);
    TH_WRITE(writer, m->curve[k].arrived);
  }
  write_lines(m, writer);
  write_areas(m, writer);
  th_bytes_write(writer, m->exit, sizeof *m->exit * m->exit_count);
}

size_t th_metrics_save(const th_metrics *metrics, void *memory, size_t size) {
  th_byte_writer writer = {memory, size, 0};
  uint64_t guard = 0;
  write_all(metrics, &writer);
  if (memory && writer.used + sizeof guard <= size) {
    th_hash hash = th_hash_begin(MAGIC);
    th_hash_bytes(&hash, memory, writer.used);
    guard = th_hash_end(&hash);
  }
  TH_WRITE(&writer, guard);
  return writer.used;
}

/* ---------------------------------------------------------------- reading */

/* Counts are no larger than the bytes that follow, so that a crafted block asks for no more memory than it has. */
static bool take_rooms(th_metrics *m, const uint32_t count[6], size_t left) {
  const th_allocator *a = &m->env.allocator;
  for (int k = 0; k < 6; k++)
    if (count[k] > left) return false;
  m->life = TH_TAKE(a, th_life, count[0]), m->life_capacity = m->life ? count[0] : 0;
  m->known = TH_TAKE(a, uint32_t, count[1]), m->known_capacity = m->known ? count[1] : 0;
  m->curve = TH_TAKE(a, th_curve_point, count[2]), m->curve_capacity = m->curve ? count[2] : 0;
  m->line = TH_TAKE(a, th_line_log, count[3]), m->line_count = m->line ? count[3] : 0;
  m->area = TH_TAKE(a, th_area_log, count[4]), m->area_count = m->area ? count[4] : 0;
  m->exit = TH_TAKE(a, th_exit_log, count[5]), m->exit_count = m->exit ? count[5] : 0;
  m->life_count = count[0], m->curve_count = count[2];
  return m->life && m->known && m->curve && m->line && m->area && m->exit;
}

static bool read_lines(th_metrics *m, th_byte_reader *reader) {
  for (uint32_t k = 0; k < m->line_count; k++) {
    th_line_log *line = &m->line[k];
    uint32_t count = 0;
    TH_READ(reader, line->name);
    TH_READ(reader, count);
    if (reader->broken || count > reader->size || line->name[sizeof line->name - 1]) return false;
    line->crossing = TH_TAKE(&m->env.allocator, th_line_crossing, count);
    if (!line->crossing) return false;
    line->count = line->capacity = count;
    for (uint32_t i = 0; i < count; i++) {
      uint8_t forwards = 0;
      TH_READ(reader, line->crossing[i].time);
      TH_READ(reader, forwards);
      line->crossing[i].forwards = forwards != 0;
    }
  }
  return true;
}

static bool read_areas(th_metrics *m, th_byte_reader *reader) {
  const uint32_t samples = m->curve_count;
  for (uint32_t k = 0; k < m->area_count; k++) {
    th_area_log *area = &m->area[k];
#define X(member) TH_READ(reader, area->member);
    AREA(X)
#undef X
    area->density = TH_TAKE(&m->env.allocator, double, samples);
    area->speed = TH_TAKE(&m->env.allocator, double, samples);
    area->density_capacity = area->density ? samples : 0;
    area->speed_capacity = area->speed ? samples : 0;
    if (!area->density || !area->speed || area->name[sizeof area->name - 1]) return false;
    th_bytes_read(reader, area->density, sizeof(double) * samples);
    th_bytes_read(reader, area->speed, sizeof(double) * samples);
  }
  return true;
}

/* A flag of any other byte than 0 and 1 would be no bool. */
static void read_life(th_life *life, th_byte_reader *reader) {
#define X(member) TH_READ(reader, life->member);
  LIFE(X)
#undef X
  bool *flag[] = {&life->lost, &life->stuck, &life->queued, &life->displaced, &life->walks, &life->bound};
  for (size_t k = 0; k < sizeof flag / sizeof *flag; k++) {
    uint8_t byte;
    memcpy(&byte, flag[k], 1);
    *flag[k] = byte != 0;
  }
}

static bool read_all(th_metrics *m, th_byte_reader *reader) {
  uint64_t magic = 0;
  uint32_t count[6] = {0};
  TH_READ(reader, magic);
#define X(member) TH_READ(reader, m->member);
  SUMS(X)
#undef X
  TH_READ(reader, count);
  if (magic != MAGIC || reader->broken || !take_rooms(m, count, reader->size - reader->used)) return false;
  for (uint32_t k = 0; k < m->life_count; k++) read_life(&m->life[k], reader);
  th_bytes_read(reader, m->known, sizeof *m->known * m->known_capacity);
  for (uint32_t k = 0; k < m->known_capacity; k++)
    if (m->known[k] > m->life_count) return false;
  for (uint32_t k = 0; k < m->curve_count; k++) {
    TH_READ(reader, m->curve[k].time);
    TH_READ(reader, m->curve[k].present);
    TH_READ(reader, m->curve[k].arrived);
  }
  if (!read_lines(m, reader) || !read_areas(m, reader)) return false;
  th_bytes_read(reader, m->exit, sizeof *m->exit * m->exit_count);
  for (uint32_t k = 0; k < m->exit_count; k++) m->exit[k].name[sizeof m->exit[k].name - 1] = 0;
  return !reader->broken;
}

static bool is_whole(const uint8_t *bytes, size_t size) {
  uint64_t guard;
  if (size < sizeof guard) return false;
  memcpy(&guard, bytes + size - sizeof guard, sizeof guard);
  th_hash hash = th_hash_begin(MAGIC);
  th_hash_bytes(&hash, bytes, size - sizeof guard);
  return th_hash_end(&hash) == guard;
}

th_result th_metrics_of_run(const th_env *env, const th_tracks *tracks, th_metrics **metrics, th_error *error) {
  const th_env own = th_env_complete(env);
  if (!tracks->numbers) return th_fail(error, TH_ERROR_STATE, "metrics", "the recording holds no numbers of its run");
  if (!is_whole(tracks->numbers, tracks->numbers_size))
    return th_fail(error, TH_ERROR_FORMAT, "metrics", "expected the numbers of a run, found damaged bytes");
  th_metrics *made = TH_TAKE(&own.allocator, th_metrics, 1);
  if (!made) return th_fail_memory(error, "metrics");
  made->env = own;
  th_byte_reader reader = {tracks->numbers, tracks->numbers_size - sizeof(uint64_t), 0, false};
  if (read_all(made, &reader)) {
    *metrics = made;
    return TH_OK;
  }
  th_metrics_free(made);
  return th_fail(error, TH_ERROR_FORMAT, "metrics", "expected the numbers of a run of this version, found others");
}
