/* io/scene/keys.h - the keys of a scene as tables. Reader, schema, documentation and tests read the same tables, so a
 * key is declared once. */
#ifndef TH_IO_SCENE_KEYS_H
#define TH_IO_SCENE_KEYS_H

#include <jansson.h>

#include "io/scene/scene.h"

typedef enum th_key_kind {
  TH_KEY_FLOAT,      /* float */
  TH_KEY_DOUBLE,     /* double */
  TH_KEY_COUNT,      /* uint32_t */
  TH_KEY_WHOLE,      /* int32_t */
  TH_KEY_WHOLES,     /* int32_t * and count */
  TH_KEY_SEED,       /* uint64_t, 1 or more */
  TH_KEY_BOOL,       /* bool */
  TH_KEY_TEXT,       /* const char *, without control characters */
  TH_KEY_LONG_TEXT,  /* const char *, as it is; in packs */
  TH_KEY_CHOICE,     /* an enum, or int32_t: index into `choice` */
  TH_KEY_PAIR,       /* th_vec2: [x, y] */
  TH_KEY_TRIPLE,     /* double[3]: [x, y, z] */
  TH_KEY_POINTS,     /* th_scene_points: [[x, y], ...] or [[x, y, z], ...] */
  TH_KEY_FLOATS,     /* float[TH_MAX_CLASSES] and count */
  TH_KEY_TEXTS,      /* const char ** and count */
  TH_KEY_SPREAD,     /* th_spread: number, {mean, spread, distribution, min, max} or {from, to} */
  TH_KEY_RANGE,      /* th_range: number or {min, max} */
  TH_KEY_RANGES,     /* th_named_range * and count: {name: range, ...} */
  TH_KEY_OBJECT,     /* a struct described by `table`; with TH_KEY_AWAY a pointer to one */
  TH_KEY_LIST,       /* pointer and count of structs described by `table` */
  TH_KEY_ROUTE,      /* th_scene_stop[TH_MAX_STOPS] and count */
  TH_KEY_MODEL,      /* const th_model *, by name */
  TH_KEY_PARAMS,     /* void *, by the parameter table of the model beside it */
  TH_KEY_PEOPLE,     /* th_scene_people: true, false, or parameters */
  TH_KEY_GUIDE,      /* void *, by the parameter table of the guide that has the key's name */
  TH_KEY_MAKE,       /* void *, by the parameter table of made surfaces */
  TH_KEY_POINT,      /* th_shape: [x, y] */
  TH_KEY_LINE,       /* th_shape: [[x, y], ...] */
  TH_KEY_LINES,      /* th_shape: [[[x, y], [x, y]], ...] */
  TH_KEY_DISC,       /* th_shape: {centre, radius}; with TH_KEY_CORNERS turned into a polygon */
  TH_KEY_EVERYWHERE, /* th_shape: true; a disc of infinite radius */
  TH_KEY_POLYGON,    /* th_shape: [[x, y], ...] */
  TH_KEY_RECTANGLE,  /* th_shape: [[x, y], [x, y]] */
  TH_KEY_INCLUDE,    /* the keys of `table` stand here, in the same object */
  TH_KEY_KINDS
} th_key_kind;

enum {
  TH_KEY_NEEDED = 1,  /* must be given */
  TH_KEY_AWAY = 2,    /* the object is allocated, the struct holds a pointer to it */
  TH_KEY_CORNERS = 4, /* a disc becomes a polygon */
  TH_KEY_FEW = 8,     /* a list must not be empty */
  TH_KEY_FILE = 16    /* a text: a file, relative to the folder of the scene */
};

typedef struct th_table th_table;
struct th_read;

typedef struct th_key {
  const char *name;
  th_key_kind kind;
  uint32_t offset, count_offset;
  double min, max;
  const char *const *choice;
  const th_table *table;
  uint32_t flags;
  const char *unit;
  const char *text; /* one sentence */
} th_key;

typedef struct th_scene_reader th_scene_reader;
typedef struct th_scene_writer th_scene_writer;

/* How objects of a table are written where their keys alone do not tell. Each may be NULL. */
typedef struct th_table_writing {
  bool (*hides)(const void *object, const th_key *key);        /* the key stands for something else, or for nothing */
  uint32_t (*order)(const void *object);                       /* place in its list of the file */
  void (*others)(th_scene_writer *writer, const void *object); /* writes the keys of th_table.other */
  uint32_t (*more)(th_scene_writer *writer, uint32_t count); /* entries behind those of a list of the scene; how many */
} th_table_writing;

struct th_table {
  const char *name, *text; /* of the definition in the schema */
  const th_key *key;
  uint32_t count;
  size_t size;
  uint32_t given_offset;           /* of a uint64_t with one bit per given key; UINT32_MAX = none */
  const th_table_writing *writing; /* NULL = by the keys alone */
  /* Reads a key that is not in the table, of which only the name is known; tells whether it is one. NULL = no others.
   */
  th_result (*other)(th_scene_reader *reader, const struct th_read *read, bool *known);
  const char *const *one_of;  /* exactly one of these must be given; NULL-terminated, or NULL */
  void (*init)(void *object); /* defaults; NULL = zeros */
  th_result (*check)(th_scene_reader *reader, const json_t *json, void *object);
};

/* Tables of the whole scene and of the parts that tests and documentation name. */
extern const th_table th_scene_table;
extern const th_table th_scene_crowd_table, th_scene_area_shape_table, th_scene_goal_shape_table;
/* Those of things that events hold, too. */
extern const th_table th_scene_obstacle_table, th_scene_door_table, th_scene_goal_table, th_scene_guide_table,
    th_scene_population_table, th_scene_source_table, th_scene_group_table, th_scene_choice_table;

/* Bit of a crowd's key in th_scene_crowd.given. */
uint64_t th_scene_crowd_key_bit(const char *name);

/* Takes over into `def` what was given of a crowd's def, key by key; names and draws are left to the caller. */
void th_scene_crowd_keys_given(const th_scene_crowd *crowd, th_agent_def *def);

/* periodic.c: makes a mesh of the one rectangle of a ground whose ends join. */
th_result th_scene_periodic_join(th_scene_reader *reader, const json_t *json, th_scene_ground *ground);

#endif
