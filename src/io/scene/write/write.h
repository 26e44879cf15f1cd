/* io/scene/write/write.h - a scene as text, by the tables of keys that it was read by.
 *
 * Each kind of key has one function that appends its value. What is read by a row of a table is written by the same
 * row.
 */
#ifndef TH_IO_SCENE_WRITE_WRITE_H
#define TH_IO_SCENE_WRITE_WRITE_H

#include "io/scene/keys.h"
#include "io/text.h"
#include "throng/param.h"

struct th_scene_writer {
  th_text text; /* JSON in one line; io/json_layout.c breaks it */
  const th_scene *scene;
  const th_run *run; /* whose log is written, too; NULL = none */
  const char *path;  /* of the file that is written; NULL = beside the scene */
  const th_scene_planner *planner;
  th_error *error;
  th_result result; /* the first thing that went wrong, beside memory */
};

/* One key of an object. `initial` is an object of the same table with its defaults. */
typedef struct th_write {
  const th_key *key;
  const uint8_t *object, *initial;
  bool always; /* also where it is the default */
} th_write;

/* Appends the value of a key. False: the object has none, and what was appended is taken back. */
typedef bool (*th_write_function)(th_scene_writer *writer, const th_write *write);

/* object.c */
void th_write_object(th_scene_writer *writer, const th_table *table, const void *object);
/* Begins a member of an object: a comma if it is not the first, and its name. */
void th_write_object_name(th_scene_writer *writer, const char *name);
/* Fails unless something failed before. */
void th_write_object_fail(th_scene_writer *writer, th_result code, const char *where, const char *text);

/* values.c */
void th_write_value_float(th_scene_writer *writer, float value);
void th_write_value_double(th_scene_writer *writer, double value);
void th_write_value_whole(th_scene_writer *writer, int64_t value);
void th_write_value_text(th_scene_writer *writer, const char *value);
bool th_write_value_of_float(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_double(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_count(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_whole(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_wholes(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_seed(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_bool(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_text(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_texts(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_choice(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_pair(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_triple(th_scene_writer *writer, const th_write *write);
bool th_write_value_of_floats(th_scene_writer *writer, const th_write *write);

/* spreads.c */
bool th_write_spread(th_scene_writer *writer, const th_write *write);
bool th_write_spread_range(th_scene_writer *writer, const th_write *write);
bool th_write_spread_ranges(th_scene_writer *writer, const th_write *write);

/* shapes.c */
void th_write_shape_points(th_scene_writer *writer, const th_scene_points *points);
bool th_write_shape_of_points(th_scene_writer *writer, const th_write *write);
bool th_write_shape_point(th_scene_writer *writer, const th_write *write);
bool th_write_shape_line(th_scene_writer *writer, const th_write *write);
bool th_write_shape_lines(th_scene_writer *writer, const th_write *write);
bool th_write_shape_disc(th_scene_writer *writer, const th_write *write);
bool th_write_shape_everywhere(th_scene_writer *writer, const th_write *write);
bool th_write_shape_polygon(th_scene_writer *writer, const th_write *write);
bool th_write_shape_rectangle(th_scene_writer *writer, const th_write *write);

/* params.c */
bool th_write_param_route(th_scene_writer *writer, const th_write *write);
bool th_write_param_model(th_scene_writer *writer, const th_write *write);
bool th_write_param_params(th_scene_writer *writer, const th_write *write);
bool th_write_param_people(th_scene_writer *writer, const th_write *write);
bool th_write_param_guide(th_scene_writer *writer, const th_write *write);
bool th_write_param_make(th_scene_writer *writer, const th_write *write);
void th_write_param_planner(th_scene_writer *writer, const void *goal);

/* episode.c: an entry of the log, read into `memory`; and the log of the run as events; how many. */
th_result th_write_episode_entry(const th_run *run, uint32_t entry, struct th_scene_memory *memory,
                                 th_scene_event *event, th_error *error);
uint32_t th_write_episode(th_scene_writer *writer, uint32_t count);

/* scene.c: an empty text, of which NULL is made when anything failed; and into a file. */
th_result th_write_scene_text(th_scene_writer *writer, const th_scene *scene, char **text);
th_result th_write_scene_file(const th_scene_write_def *def, const char *text, th_error *error);

/* paths.c: the name of a file beside the scene as it is from the folder of the file that is written. */
void th_write_path(th_scene_writer *writer, const char *file);

#endif
