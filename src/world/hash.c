/* world/hash.c - one number for the whole state.
 *
 * Columns are hashed as they lie in memory (rows depend on the calls alone), parameters through their tables so that
 * pointers and padding stay out. What is a pure function of the ground version and a key (fields, order) is left out.
 */
#include "base/hash.h"

#include "world.h"

typedef struct column_hash {
  th_hash hash;
  uint32_t count;
} column_hash;

static void add_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  column_hash *hash = context;
  th_hash_bytes(&hash->hash, column, size * hash->count);
}

static void add_params(th_hash *hash, const th_param *param, uint32_t count, const uint8_t *values) {
  static const size_t size[] = {sizeof(float), sizeof(int32_t), sizeof(bool), sizeof(int32_t), sizeof(th_vec2)};
  for (uint32_t i = 0; i < count; i++) th_hash_bytes(hash, values + param[i].offset, size[param[i].type]);
}

static void add_models(const th_world *world, th_hash *hash) {
  for (uint32_t row = 0; row < world->rows.count; row++) {
    const th_model_use *use = &world->model[world->rows.model[row]];
    add_params(hash, use->model->param, use->model->param_count, use->params + row * use->param_stride);
    th_hash_bytes(hash, use->states + row * use->state_stride, use->model->state_size);
  }
}

static void add_tables(const th_world *world, th_hash *hash) {
  th_hash_u32(hash, world->goals.ids.generation, world->goals.ids.capacity);
  for (uint32_t i = 0; i < world->goals.capacity; i++) {
    const th_shape *shape = &world->goals.goal[i].def.shape;
    th_hash_bytes(hash, shape->point, sizeof *shape->point * shape->count);
  }
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    const uint32_t key[5] = {entry->goal, entry->radius_class, entry->eps_level, entry->live,
                             entry->failed || entry->field};
    th_hash_u32(hash, key, 5);
  }
  for (uint32_t i = 0; i < world->sources.capacity; i++) {
    th_hash_double(hash, &world->sources.source[i].debt, 1);
    th_hash_u32(hash, &world->sources.source[i].emitted, 1);
  }
}

uint64_t th_world_hash(const th_world *world) {
  column_hash columns = {th_hash_begin(world->def.seed), world->rows.count};
  const uint32_t head[4] = {world->rows.count, th_ground_version(world->ground), world->edit_count, world->entry_count};
  th_hash_u64(&columns.hash, &world->step, 1);
  th_hash_double(&columns.hash, &world->time, 1);
  th_hash_float(&columns.hash, &world->dt, 1);
  th_hash_float(&columns.hash, &world->area, 1);
  th_hash_u32(&columns.hash, head, 4);
  th_hash_u32(&columns.hash, world->ids.generation, world->ids.capacity);
  th_rows_each(&world->rows, add_column, &columns);
  add_models(world, &columns.hash);
  add_tables(world, &columns.hash);
  return th_hash_end(&columns.hash);
}
