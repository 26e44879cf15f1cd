/* world/step/step.c - the step is this table of phases and nothing else.
 *
 * All decisions read the state at the start of the step; `move` and `contacts` find the next one, which `commit`
 * writes.
 */
#include "world/step/step.h"

#include "base/platform/clock.h"

typedef struct th_phase_entry {
  const char *name;
  void (*run)(th_world *world);
} th_phase_entry;

static const th_phase_entry phases[TH_PHASE_COUNT] = {
    [TH_PHASE_PUBLISH] = {"publish", th_phase_publish},    /* edits and finished jobs come into force */
    [TH_PHASE_ORDER] = {"order", th_phase_order},          /* agents by patch */
    [TH_PHASE_GUIDE] = {"guide", th_phase_guide},          /* each guide: where to go */
    [TH_PHASE_PEOPLE] = {"people", th_phase_people},       /* pressure, and how wide they are */
    [TH_PHASE_DECIDE] = {"decide", th_phase_decide},       /* models on flat views */
    [TH_PHASE_MOVE] = {"move", th_phase_move},             /* walk over the ground */
    [TH_PHASE_CONTACTS] = {"contacts", th_phase_contacts}, /* bodies that touch */
    [TH_PHASE_COMMIT] = {"commit", th_phase_commit},       /* the rows take over what these found */
    [TH_PHASE_FINISH] = {"finish", th_phase_finish},       /* arrivals, sinks, sources, events */
};

const char *th_phase_name(th_phase phase) { return (unsigned)phase < TH_PHASE_COUNT ? phases[phase].name : "unknown"; }

static void run_phases(th_world *world, th_phase first, th_phase last) {
  double before = th_clock_seconds();
  for (th_phase phase = first; phase <= last; phase++) {
    phases[phase].run(world);
    double now = th_clock_seconds();
    world->seconds[phase] += now - before;
    before = now;
  }
}

/* Guide is the last phase for all agents together; then each decides, moves and commits in its turn. */
static void step_in_turns(th_world *world) {
  run_phases(world, TH_PHASE_PUBLISH, TH_PHASE_GUIDE);
  double before = th_clock_seconds();
  th_world_one_by_one(world);
  world->seconds[TH_PHASE_DECIDE] += th_clock_seconds() - before;
  run_phases(world, TH_PHASE_FINISH, TH_PHASE_FINISH);
}

void th_world_advise(th_world *world) {
  if (th_no_world(world, __func__)) return;
  if (world->def.update == TH_UPDATE_ONE_BY_ONE) {
    th_fault(&world->env, "th_world_advise: agents of this world take turns; expected th_world_step");
    return;
  }
  if (world->advised) {
    th_fault(&world->env, "th_world_advise: called twice; expected th_world_integrate or th_world_accept");
    return;
  }
  run_phases(world, TH_PHASE_PUBLISH, TH_PHASE_DECIDE);
  world->advised = true;
}

void th_world_integrate(th_world *world) {
  if (th_no_world(world, __func__)) return;
  if (!world->advised) {
    th_fault(&world->env, "th_world_integrate: expected th_world_advise before it");
    return;
  }
  run_phases(world, TH_PHASE_MOVE, TH_PHASE_FINISH);
  world->advised = false;
}

void th_world_step(th_world *world) {
  if (th_no_world(world, __func__)) return;
  if (world->def.update == TH_UPDATE_ONE_BY_ONE) {
    step_in_turns(world);
    return;
  }
  th_world_advise(world);
  th_world_integrate(world);
}

void th_world_profile(const th_world *world, double seconds[TH_PHASE_COUNT]) {
  if (th_no_world(world, __func__)) return;
  for (int i = 0; i < TH_PHASE_COUNT; i++) seconds[i] = world->seconds[i];
}
