/* world/field_requests.h - requests that background jobs work on while steps run: fields, and grounds with their
 * fields. */
#ifndef TH_WORLD_FIELD_REQUESTS_H
#define TH_WORLD_FIELD_REQUESTS_H

#include "world/world.h"

typedef struct th_request_item {
  uint32_t entry, goal, generation; /* of the goal: it may be gone when the field is there */
  char name[48];                    /* of the goal, for messages */
  th_field_def def;                 /* goal points owned */
  th_field *field;
  bool dropped; /* the goal has changed since: it comes into force no more */
} th_request_item;

/* A solver that jobs share: the first job that needs the version makes it, and it is freed when no job needs it any
 * more. */
struct th_solver_slot {
  th_solver *solver;
  uint32_t version, users;
};

/* The share of one job: every n-th field from `first` on, for n jobs. */
typedef struct th_request_part {
  th_request *request;
  uint32_t first;
  th_result result; /* TH_ERROR_MEMORY when some field could not be made for want of memory */
} th_request_part;

struct th_request {
  th_world *world;
  th_request *next;
  uint64_t step; /* in force from this step on */
  th_ticket ticket;
  th_ground *ground; /* version the fields are made for */
  bool edits;        /* this request brings that version into force */
  th_request_item *item;
  uint32_t count;
  th_request_part *part; /* one per job */
  uint32_t part_count;
  bool submitted;
  th_shared_set shared; /* with a ground: what models and guides share on it */
  th_atlas *atlas;      /* with a mesh ground; NULL: the one in use is kept */
};

typedef struct th_request_def {
  uint64_t step;         /* in force from this step on */
  const uint32_t *entry; /* fields to make */
  uint32_t count;
  th_ground *ground;     /* the version to bring into force; NULL: fields only, on the version asked for last */
  th_ground *before;     /* with a ground: the version that it follows */
  const th_shape *shape; /* what each field leads to; NULL: where the goals are now */
} th_request_def;

th_result th_request_entries(th_world *world, const th_request_def *def, th_error *error);
void th_request_withdraw(th_world *world, uint32_t entry); /* the pending request that makes this entry alone */
/* Fields of a goal in the requests up to `last` do not come into force any more. */
void th_request_forget(th_world *world, uint32_t goal, const th_request *last);
void th_requests_publish(th_world *world);
void th_requests_hasten(th_world *world); /* all that is pending comes into force in the next step */
void th_requests_wait(th_world *world);   /* until all that is pending has been made */
void th_requests_free(th_world *world, th_request *first);

/* Frees the solver of the last jobs; no job is running. */
void th_requests_forget_solver(th_world *world);

/* False once the goal of an item went away. */
bool th_request_item_lives(const th_world *world, const th_request_item *item);
uint32_t th_request_alive(const th_world *world, const th_request *request); /* how many items live */

#endif
