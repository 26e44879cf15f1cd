/* io/recording/numbers.c - the numbers that the ids of a world have in a recording.
 *
 * A world reuses the index of an agent that has left, even in the step in which it left, and the events of both agents
 * stand in one list. So every owner that an index has had is kept, newest first, as a chain through one array. An id
 * newer than the newest owner is a new one; an older id is found a few links down the chain. Generations have 16 bits
 * and wrap around; they are compared by their signed difference. Cost: two reads for the newest owner; 64 bytes for
 * each owner.
 */
#include "io/recording/numbers.h"

/* Where the chain of an index names the owner with this generation, or where it would be put in. */
static uint32_t *link_to(th_numbers *numbers, uint32_t index, uint16_t generation, bool *found) {
  uint32_t *link = &numbers->newest[index];
  while (*link) {
    th_numbered *owner = &numbers->owner[*link - 1];
    int16_t newer = (int16_t)(uint16_t)(owner->generation - generation);
    *found = newer == 0;
    if (newer <= 0) return link;
    link = &owner->older;
  }
  return link;
}

th_numbered *th_numbers_owner(th_numbers *numbers, const th_allocator *allocator, uint32_t index, uint16_t generation) {
  bool found = false;
  if (index < numbers->newest_capacity) {
    const uint32_t *link = link_to(numbers, index, generation, &found);
    if (found) return &numbers->owner[*link - 1];
  }
  if (index == UINT32_MAX || numbers->owner_count == UINT32_MAX - 1 ||
      !th_grow(allocator, (void **)&numbers->newest, &numbers->newest_capacity, index + 1, sizeof *numbers->newest) ||
      !th_grow(allocator, (void **)&numbers->owner, &numbers->owner_capacity, numbers->owner_count + 1,
               sizeof *numbers->owner))
    return NULL;
  uint32_t *link = link_to(numbers, index, generation, &found);
  th_numbered *fresh = &numbers->owner[numbers->owner_count];
  *fresh = (th_numbered){.generation = generation, .older = *link};
  *link = ++numbers->owner_count;
  return fresh;
}

void th_numbers_free(th_numbers *numbers, const th_allocator *allocator) {
  TH_GIVE(allocator, numbers->owner, numbers->owner_capacity);
  TH_GIVE(allocator, numbers->newest, numbers->newest_capacity);
  *numbers = (th_numbers){0};
}
