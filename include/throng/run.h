/* throng/run.h - driving a run: events by hand, their log, and back in time.
 *
 * Whatever a scene lets happen can be done to a run while it goes: th_run_do takes one event of the scene language as
 * JSON (docs/scene.md, Event). What was done is kept in a log with its steps. Written behind the events of the scene,
 * it makes a scene that runs again with the same hash in every step. Going back keeps the log: what it holds from then
 * on is still to come, and happens again at its steps, unless another event is done first, which drops it. Part of
 * throng_io. Threads: calls on one run must not overlap.
 */
#ifndef THRONG_RUN_H
#define THRONG_RUN_H

#include "group.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an event made, or meant. */
typedef struct th_run_answer {
  const th_agent_id *agent; /* that were added, or that it meant; valid until the next call on the run */
  uint32_t agent_count;
  th_goal_id goal; /* that was made or changed; else null, as the others */
  th_choice_id choice;
  th_guide_id guide;
  th_source_id source;
  th_group_id group;
} th_run_answer;

/** Makes one event happen before the next step, such as {"open": "door"}: an event of a scene without `at` and `step`.
 *  It is read and checked as a whole; an error says where it is wrong, and nothing has changed. Else it is the last
 * entry of the log. World events that it raises are listed by th_world_events until the step after the next. Not
 * between th_run_advise and th_world_integrate. `answer` may be NULL. Where several agents change and memory runs out
 * in between, those that have changed are put back, which takes memory, too. */
TH_API th_result th_run_do(th_run *run, const char *event, th_run_answer *answer, th_error *error);

TH_API const th_scene *th_run_scene(const th_run *run);

/** Something that has a name and is there now. Of the ids one is not null: that of its kind. */
typedef struct th_run_part {
  const char *name; /* NULL = none; belongs to the run until the next call that changes it */
  uint32_t index;   /* of a population: what th_run_population tells */
  th_goal_id goal;
  th_guide_id guide;
  th_source_id source;
  th_group_id group;
  bool closed; /* a door; that of the ground as it is in force */
} th_run_part;

/** What a run has now of "goals", "guides", "populations", "sources", "groups" or "ground.doors": those of the scene
 * and those that events made, without those that are gone, in the order in which they were made. Writes up to
 * `capacity`, returns how many there are; 0 of another list, and without memory. */
TH_API uint32_t th_run_parts(const th_run *run, const char *list, th_run_part *part, uint32_t capacity);

/** The log: what was done by hand, in order, those that are still to come included. Texts are compact JSON that
 *  th_run_do takes, and belong to the run until the next call that changes it. An index out of range gives NULL or 0.
 */
TH_API uint32_t th_run_log_count(const th_run *run);
TH_API const char *th_run_log_text(const th_run *run, uint32_t entry);
TH_API uint64_t th_run_log_when(const th_run *run, uint32_t entry); /* the step before which it happens */
/** How many of them have happened; and forgets the others. */
TH_API uint32_t th_run_log_done(const th_run *run);
TH_API void th_run_log_cut(th_run *run);

/** The hash of the world at the beginning of a step, before anything is done by hand in it. */
typedef struct th_run_mark {
  uint64_t step, hash;
} th_run_mark;

/** The run as an episode: its scene with the seed and the duration of the run, what has been done by hand as events
 * with their steps, and marks, which a replay compares (docs/scene.md, Mark): these, by step, or without any (NULL, 0)
 * one of now, unless something was done in this step already. A run of it has the same hash in every step. Text as
 *  th_scene_write has it; what no scene holds, the memory of models and guides, comes back when it runs from its
 *  beginning. */
TH_API th_result th_run_write(const th_run *run, const th_scene_write_def *def, const th_run_mark *mark,
                              uint32_t mark_count, char **text, th_error *error);
/** The same into def->path, as th_scene_save. */
TH_API th_result th_run_save(const th_run *run, const th_scene_write_def *def, const th_run_mark *mark,
                             uint32_t mark_count, th_error *error);

/** The world as it stands as the beginning of a new scene, whose time begins with 0: its ground with doors and
 * obstacles as they are, goals, guides, sources and groups, all agents with their places, velocities, stops and
 * members, and the events of the scene that are still to come. In the order of the new file agents count from 1.
 * `lost`, unless it is NULL, gets a line for each thing that no scene can hold: memory of models and guides, links to
 * agents that are gone, events that mean agents by their ids ...; "" when nothing is lost. What the host has done to
 * the world beside th_run_do is seen in agents only. Free both texts with th_text_free. TH_ERROR_STATE between
 * th_run_advise and th_world_integrate. */
TH_API th_result th_run_write_moment(const th_run *run, const th_scene_write_def *def, char **text, char **lost,
                                     th_error *error);
/** The same into def->path, as th_scene_save. */
TH_API th_result th_run_save_moment(const th_run *run, const th_scene_write_def *def, char **lost, th_error *error);

/** Writes the whole state: world, log, members of populations, what has names. Returns the bytes needed (call with
 * NULL, 0 first). */
TH_API size_t th_run_snapshot(const th_run *run, void *memory, size_t size);
/** Restores a snapshot of a run of this scene with the same seed; others are refused and nothing changes. The log is
 * then that of the snapshot; where this run's log begins with it, the rest is kept, and is still to come. */
TH_API th_result th_run_restore(th_run *run, const void *memory, size_t size, th_error *error);

/** Goes to the beginning of a step, before the events that were done by hand in it: back by the snapshots that
 *  th_run_def.history lets a run keep, then forwards step by step, with all events of scene and log. The hash is that
 * of the first time. TH_ERROR_STATE where no snapshot reaches back that far. */
TH_API th_result th_run_go_to(th_run *run, uint64_t step, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
