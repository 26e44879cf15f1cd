/* world/step/contacts.h - one round of contacts, and what differs between the kinds of ground. */
#ifndef TH_WORLD_STEP_CONTACTS_H
#define TH_WORLD_STEP_CONTACTS_H

#include "throng/world.h"

#define TH_MAX_FAR 64 /* bodies that are looked at one by one, because they went farther than the others */

typedef struct th_contact_round {
  th_world *world;
  float strayed;            /* how far bodies moved before the rounds, but for `far` [m] */
  float pushed;             /* how far any body has been pushed in the rounds before [m] */
  float least;              /* overlaps below this part of the radii's sum are left alone */
  uint32_t far[TH_MAX_FAR]; /* slots, ascending; flat ground */
  uint32_t far_count;
  const float *hops;     /* mesh: by cluster, how far one of its bodies went [m]; NULL: as `strayed` says */
  const uint8_t *before; /* by cluster: a body was pushed in the round before; NULL in the first round */
  uint8_t *now;          /* by cluster, to be set to 0 or 1: a body is pushed */
} th_contact_round;

typedef struct th_contact_calls {
  void (*begin)(th_contact_round *round);      /* sets `strayed`, and `far` */
  void (*find)(const th_contact_round *round); /* sets `now`, and where it is 1 the world's push_x and push_y */
  float (*walk_by)(th_world *world, uint32_t slot, th_vec2 push); /* moves a body; returns squared distance [m^2] */
  uint32_t block;                                                 /* clusters that one task walks */
  float escape; /* a walk that begins in a wall leads out of it, by at most this beside its displacement [m] */
} th_contact_calls;

/* mesh_contacts.c */
extern const th_contact_calls th_mesh_contact_calls;

/* mesh_contacts.c: the bodies around one patch, laid flat; one per worker. */
typedef struct th_contact_scratch {
  float *dx, *dy; /* of its own bodies, in the order of the crowd's list */
} th_contact_scratch;

bool th_contact_scratch_make(th_contact_scratch *scratch, const th_allocator *allocator);
void th_contact_scratch_free(th_contact_scratch *scratch, const th_allocator *allocator);

#endif
