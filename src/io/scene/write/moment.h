/* io/scene/write/moment.h - a running world as the beginning of a scene, while it is put together. */
#ifndef TH_IO_SCENE_WRITE_MOMENT_H
#define TH_IO_SCENE_WRITE_MOMENT_H

#include "base/error.h"
#include "io/scene/read.h"
#include "io/scene/run.h"
#include "io/text.h"

typedef struct th_scene_moment {
  const th_run *run;
  th_scene scene;                 /* that is written */
  struct th_scene_memory *memory; /* of all that the scene has instead of the run's */
  th_scene_event *first;          /* what happens at its beginning */
  uint32_t first_count, first_capacity;
  th_text lost; /* a line for each thing that it does not hold */
  th_error *error;
  th_result result;
} th_scene_moment;

/* Memory that lives as long as the moment, in zeros; NULL, and the moment has failed. */
void *th_moment_take(th_scene_moment *moment, uint32_t count, size_t size);
/* One more line about what is lost. */
void th_moment_lose(th_scene_moment *moment, const char *format, ...) TH_PRINTF(2, 3);
/* One more event of the beginning, or NULL. */
th_scene_event *th_moment_begin_with(th_scene_moment *moment, th_scene_act act, void *part);

/* moment_things.c: goals, guides, sources, groups, doors and obstacles as the events that were done have left them. */
void th_moment_things(th_scene_moment *moment);
/* Whether a goal or a choice of this name is among them. */
bool th_moment_things_stop(const th_scene_moment *moment, const char *name);
/* What a crowd says of things that are gone. */
void th_moment_things_forget(th_scene_moment *moment, th_scene_crowd *crowd);
/* moment_crowds.c: populations of the agents that are there, and the groups that they form. */
void th_moment_crowds(th_scene_moment *moment);

#endif
