/* io/scene/read.h - reading a JSON tree by tables of keys. */
#ifndef TH_IO_SCENE_READ_H
#define TH_IO_SCENE_READ_H

#include "base/error.h"
#include "io/json.h"
#include "io/scene/keys.h"
#include "throng/guide.h"
#include "throng/param.h"

enum { TH_SCENE_MAX_SETS = 64 };

struct th_scene_reader {
  const th_json_text *source;
  struct th_scene_memory *memory;
  th_error *error;
  char pointer[TH_JSON_POINTER]; /* of the value being read */
  const char *const *set;
  char (*set_pointer)[TH_JSON_POINTER]; /* what each override changed */
  uint32_t set_count;
  const th_scene_planner *planner; /* NULL = none */
  const th_run *run;               /* the event is done to it now; NULL: it is one of a scene */
};

/* The defaults of an object, in table->size bytes that are 0. */
void th_read_initial(const th_table *table, void *object);

/* Reads `json` into `object` (table->size bytes, zeroed). */
th_result th_read_object(th_scene_reader *reader, const th_table *table, const json_t *json, void *object);

/* The reader of one kind; `parent` is the object that holds the key. */
typedef struct th_read {
  const th_key *key;
  const json_t *value, *parent;
  uint8_t *object;
} th_read;
th_result th_read_value(th_scene_reader *reader, const th_read *read);

/* Kinds of read_values.c, spread.c and read_shapes.c. */
typedef th_result (*th_read_function)(th_scene_reader *reader, const th_read *read);
th_result th_read_number(th_scene_reader *reader, const json_t *value, const th_key *key, double *number);
th_result th_read_fail_number(th_scene_reader *reader, const json_t *value, const th_key *key, const char *kind);
/* Two named numbers of a small object, no other key allowed. */
typedef struct th_two {
  const char *first, *second;
  bool both; /* each must be there */
} th_two;
th_result th_read_two(th_scene_reader *reader, const json_t *value, const th_two *names, const th_key *key,
                      double *pair);
th_result th_read_pair(th_scene_reader *reader, const json_t *value, th_vec2 *pair);
th_result th_read_text(th_scene_reader *reader, const json_t *value, const char **text);
th_result th_read_float_key(th_scene_reader *reader, const th_read *read);
th_result th_read_double_key(th_scene_reader *reader, const th_read *read);
th_result th_read_count_key(th_scene_reader *reader, const th_read *read);
th_result th_read_whole_key(th_scene_reader *reader, const th_read *read);
th_result th_read_wholes_key(th_scene_reader *reader, const th_read *read);
th_result th_read_seed_key(th_scene_reader *reader, const th_read *read);
th_result th_read_bool_key(th_scene_reader *reader, const th_read *read);
th_result th_read_text_key(th_scene_reader *reader, const th_read *read);
th_result th_read_long_text_key(th_scene_reader *reader, const th_read *read);
th_result th_read_choice_key(th_scene_reader *reader, const th_read *read);
th_result th_read_pair_key(th_scene_reader *reader, const th_read *read);
th_result th_read_triple_key(th_scene_reader *reader, const th_read *read);
th_result th_read_points_key(th_scene_reader *reader, const th_read *read);
th_result th_read_floats_key(th_scene_reader *reader, const th_read *read);
th_result th_read_texts_key(th_scene_reader *reader, const th_read *read);
extern const char *const th_scene_distribution[]; /* by kind, from TH_SPREAD_NORMAL on; NULL-terminated */
th_result th_read_spread_key(th_scene_reader *reader, const th_read *read);
th_result th_read_range_key(th_scene_reader *reader, const th_read *read);
th_result th_read_ranges_key(th_scene_reader *reader, const th_read *read);
/* The value of a parameter as the text that th_param_set takes; false when it is none. */
enum { TH_PARAM_TEXT = 80 * TH_MAX_PARAM_POINTS }; /* three numbers with all their digits per point */
bool th_param_text(const json_t *value, char *text, size_t size);
th_result th_read_route_key(th_scene_reader *reader, const th_read *read);
th_result th_read_model_key(th_scene_reader *reader, const th_read *read);
th_result th_read_params_key(th_scene_reader *reader, const th_read *read);
th_result th_read_people_key(th_scene_reader *reader, const th_read *read);
th_result th_read_guide_key(th_scene_reader *reader, const th_read *read);
/* graph.c: `path` has points to visit; replaces them by the shortest path over the edges, which `guide` keeps. */
th_result th_read_graph(th_scene_reader *reader, const json_t *edges, th_scene_guide *guide, th_path_params *path);
/* Keys of goals that the host's planner has: th_table.other, and the planner once all are read. */
th_result th_read_planner_key(th_scene_reader *reader, const th_read *read, bool *known);
th_result th_read_planner(th_scene_reader *reader, th_scene_goal *goal);
th_result th_read_make_key(th_scene_reader *reader, const th_read *read);
th_result th_read_everywhere_key(th_scene_reader *reader, const th_read *read);
th_result th_read_point_key(th_scene_reader *reader, const th_read *read);
th_result th_read_line_key(th_scene_reader *reader, const th_read *read);
th_result th_read_lines_key(th_scene_reader *reader, const th_read *read);
th_result th_read_disc_key(th_scene_reader *reader, const th_read *read);
th_result th_read_polygon_key(th_scene_reader *reader, const th_read *read);
th_result th_read_rectangle_key(th_scene_reader *reader, const th_read *read);

/* The position of the reader: enter a key or an entry, go back to a mark. */
size_t th_reader_enter(th_scene_reader *reader, const char *key);
size_t th_reader_enter_index(th_scene_reader *reader, size_t index);
void th_reader_back(th_scene_reader *reader, size_t mark);

/* Fails with the position of the current value, or of its key. */
th_result th_reader_fail(th_scene_reader *reader, th_result code, bool at_key, const char *format, ...) TH_PRINTF(4, 5);
th_result th_reader_fail_memory(th_scene_reader *reader);

/* "found ..." for messages, in `text`. */
enum { TH_FOUND = 96 };
const char *th_reader_found(const json_t *value, char text[TH_FOUND]);

/* Memory of a scene: blocks that are freed together. */
struct th_scene_memory *th_scene_memory_make(const th_env *env);
void *th_scene_memory_take(struct th_scene_memory *memory, size_t count, size_t size);
const char *th_scene_memory_text(struct th_scene_memory *memory, const char *text);
void th_scene_memory_join(struct th_scene_memory *memory, struct th_scene_memory *other); /* takes its blocks over */
const th_env *th_scene_memory_env(const struct th_scene_memory *memory);
void th_scene_memory_free(struct th_scene_memory *memory);

/* Resolves the names of goals, guides, doors, populations and lines, and fills the indices. */
th_result th_scene_link(th_scene_reader *reader, th_scene *scene);

/* link.c: the parts of it that events need, too. A name that no list of the scene has may be one that an event makes:
 * then its index is TH_NO_INDEX. With a run in the reader names are those that the run has. The reader stands at the
 * name, or at the object. */
th_result th_scene_link_name(th_scene_reader *reader, const th_scene *scene, th_named kind, const char *name,
                             uint32_t *index);
/* choices.c: the goals of its options, and that no goal has its name. */
th_result th_scene_choices_link(th_scene_reader *reader, const th_scene *scene, th_scene_choice *choice);
/* True when the scene has such a thing, an event of it makes one, or the run has it. */
bool th_scene_link_known(const th_scene_reader *reader, const th_scene *scene, th_named kind, const char *name);
th_result th_scene_link_crowd(th_scene_reader *reader, const th_scene *scene, th_scene_crowd *crowd);
th_result th_scene_link_population(th_scene_reader *reader, const th_scene *scene, th_scene_population *population);
th_result th_scene_link_group(th_scene_reader *reader, const th_scene *scene, const th_scene_group *group);
th_result th_scene_link_outline(th_scene_reader *reader, const th_scene *scene, const th_scene_area *area);

#endif
