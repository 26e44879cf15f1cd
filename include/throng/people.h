/* throng/people.h - how people walk among people, whatever their model.
 *
 * A person keeps a gap to whoever it follows, looks for room ahead, gives way under pressure, steps round somebody slow
 * and aside for somebody who comes, and keeps off walls. An agent points to a set of these parameters
 * (th_agent_def.people); without one it is a bare body, as published methods have it. Agents with equal parameters
 * share one set. The table below is the one place where these numbers are declared: scenes ("people": {...}), --set
 * people.NAME=, traces, docs/people.md, range checks and the state's hash read it. docs/people.md has the formulas.
 * Threads: any.
 */
#ifndef THRONG_PEOPLE_H
#define THRONG_PEOPLE_H

#include "param.h"
#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Units, ranges and defaults are those of th_people_table. */
typedef struct th_people_params {
  /* keeping a gap */
  float time_gap, time_gap_spread; /* to the person ahead, at ease: mean and deviation from person to person [s] */
  float hurry;                     /* part of it that is left under pressure */
  float strip, strip_pressed;      /* half width of what counts as ahead, of both bodies: at ease, under pressure */
  float beyond; /* who will have left it when a person has walked to its place and this far on is not followed [m] */
  /* room ahead */
  float keep_heading, leave_wanted; /* worth of the present heading, cost of leaving the wanted direction [m/s] */
  float wall_berth;                 /* distance from walls that they keep at ease, where there is room [m] */
  /* pressure */
  float hindered;            /* of the wanted speed: who gets along slower is under pressure */
  float press_in, press_out; /* until pressure is full, until it is gone [s] */
  float shoulders;           /* part of the radius to which a body narrows under pressure */
  float forwards;            /* from this speed on shoulders are not turned [m/s] */
  /* stepping round somebody slow */
  float round_room; /* as far as this nobody may stand in the direction of the step [m]; 0: nobody steps round */
  /* a stand-off */
  float patience; /* who stands before somebody opposed for longer tries other directions [s] */
  /* walking */
  float standing; /* slower than this they do not turn on the spot [m/s] */
  float take_up;  /* people of a model that decides now and then have taken up its advice within this [s] */
} th_people_params;

/** The defaults, of which th_default_agent_def is made; and a copy of them to change. */
TH_API extern const th_people_params th_default_people;
TH_API th_people_params th_default_people_params(void);

/** The table of the struct above, `count` rows; and where the default of a row comes from: a publication, or what it
 *  was calibrated on. */
TH_API const th_param *th_people_table(uint32_t *count);
TH_API const char *th_people_source(uint32_t row);

/** What people publish about their decisions: agents that look for room. */
TH_API const th_trace *th_people_trace_table(uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
