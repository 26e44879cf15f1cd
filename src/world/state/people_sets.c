/* world/state/people_sets.c - agents with equal parameters of people share one set.
 *
 * A crowd has one set or a few, so there are at most 255 and a row needs a byte. Numbers follow from the calls alone: a
 * new set gets the lowest number that nobody uses. Cost: finding compares with each set in use, the newest first.
 */
#include "world/state/people_sets.h"

#include <string.h>

#include "base/error.h"

static uint8_t find_equal(const th_people_sets *sets, const th_people_params *people) {
  for (uint32_t n = sets->used; n > 0; n--)
    if (sets->of[n] && memcmp(sets->of[n], people, sizeof *people) == 0) return (uint8_t)n;
  return 0;
}

th_result th_people_sets_find(th_people_sets *sets, const th_people_params *people, uint8_t *number, th_error *error) {
  *number = people ? find_equal(sets, people) : 0;
  uint32_t n = 1;
  while (people && !*number && n <= TH_MAX_PEOPLE_SETS && (sets->users[n] || sets->held[n])) n++;
  if (n > TH_MAX_PEOPLE_SETS)
    return th_fail(error, TH_ERROR_CAPACITY, "people", "expected at most %u different sets of people in a world",
                   TH_MAX_PEOPLE_SETS);
  if (people && !*number) {
    sets->set[n - 1] = *people;
    sets->of[n] = &sets->set[n - 1];
    sets->used = n > sets->used ? n : sets->used;
    *number = (uint8_t)n;
  }
  sets->held[*number] = *number != 0;
  return TH_OK;
}

void th_people_sets_settle(th_people_sets *sets) {
  for (uint32_t n = 1; n <= sets->used; n++) {
    sets->held[n] = false;
    if (!sets->users[n]) sets->of[n] = NULL;
  }
}

void th_people_sets_join(th_people_sets *sets, uint8_t number) {
  if (!number) return;
  sets->users[number]++;
  sets->any = true;
  sets->narrow |= sets->of[number]->shoulders < 1.0f;
}

void th_people_sets_leave(th_people_sets *sets, uint8_t number) {
  if (number && !--sets->users[number] && !sets->held[number]) sets->of[number] = NULL;
}

void th_people_sets_point(th_people_sets *sets) {
  for (uint32_t n = 1; n <= TH_MAX_PEOPLE_SETS; n++) sets->of[n] = sets->users[n] ? &sets->set[n - 1] : NULL;
}

void th_people_sets_write(const th_people_sets *sets, const th_rows *rows, th_byte_writer *writer) {
  const uint32_t head[3] = {sets->used, sets->any, sets->narrow};
  TH_WRITE(writer, head);
  th_bytes_write(writer, sets->set, sizeof *sets->set * sets->used);
  th_bytes_write(writer, rows->people, sizeof *rows->people * rows->count);
  th_bytes_write(writer, rows->away, sizeof *rows->away * rows->count);
  th_bytes_write(writer, rows->held, sizeof *rows->held * rows->count);
}

void th_people_sets_read(th_people_sets *sets, th_rows *rows, th_byte_reader *reader) {
  uint32_t head[3], count;
  const th_param *table = th_people_table(&count);
  memset(sets, 0, sizeof *sets);
  TH_READ(reader, head);
  reader->broken |= head[0] > TH_MAX_PEOPLE_SETS;
  if (reader->broken) return;
  sets->used = head[0], sets->any = head[1] != 0, sets->narrow = head[2] != 0;
  th_bytes_read(reader, sets->set, sizeof *sets->set * sets->used);
  th_bytes_read(reader, rows->people, sizeof *rows->people * rows->count);
  th_bytes_read(reader, rows->away, sizeof *rows->away * rows->count);
  th_bytes_read(reader, rows->held, sizeof *rows->held * rows->count);
  for (uint32_t row = 0; row < rows->count && !reader->broken; row++) {
    const uint8_t number = rows->people[row];
    reader->broken |= number > sets->used;
    if (!reader->broken && number) sets->users[number]++;
  }
  th_people_sets_point(sets);
  for (uint32_t n = 1; n <= sets->used && !reader->broken; n++)
    reader->broken |= sets->of[n] && th_param_check(table, count, sets->of[n], NULL) != TH_OK;
}
