/* Tests of base/jobs.h: order, waiting, a full queue, shutdown with jobs pending, with and without a thread. */
#include <stdatomic.h>
#include <time.h>

#include "base/jobs.h"
#include "support/allocator.h"

#define MANY 200

typedef struct diary {
  uint32_t entry[MANY], count; /* plain memory: only the order of jobs protects it */
} diary;

typedef struct note {
  diary *diary;
  uint32_t number;
} note;

static void write_note(void *context) {
  note *n = context;
  n->diary->entry[n->diary->count++] = n->number;
}

static void jobs_run_in_order(void **state) {
  (void)state;
  static const uint32_t capacity[] = {1, 3, 1000};
  for (uint32_t background = 0; background < 2; background++) {
    for (int c = 0; c < 3; c++) {
      failing f = {0};
      th_env env = failing_env(&f);
      th_jobs *jobs = NULL;
      assert_int_equal(th_jobs_make(&env, background, capacity[c], &jobs, NULL), TH_OK);
      diary d = {0};
      note n[MANY];
      th_ticket ticket = 0;
      failing_lock(&f);
      for (uint32_t i = 0; i < MANY; i++) {
        n[i] = (note){&d, i};
        ticket = th_jobs_submit(jobs, write_note, &n[i]);
        assert_int_equal(ticket, i + 1);
      }
      th_jobs_wait(jobs, MANY / 2);
      assert_true(th_jobs_done(jobs, MANY / 2));
      th_jobs_wait(jobs, ticket);
      failing_unlock(&f);
      assert_int_equal(d.count, MANY);
      for (uint32_t i = 0; i < MANY; i++) assert_int_equal(d.entry[i], i);
      assert_true(th_jobs_done(jobs, ticket));
      th_jobs_free(jobs);
      failing_assert_empty(&f);
    }
  }
}

static void without_a_thread_a_job_runs_when_waited_for(void **state) {
  (void)state;
  th_jobs *jobs = NULL;
  assert_int_equal(th_jobs_make(NULL, 0, 8, &jobs, NULL), TH_OK);
  diary d = {0};
  note n[3] = {{&d, 10}, {&d, 11}, {&d, 12}};
  for (int i = 0; i < 3; i++) th_jobs_submit(jobs, write_note, &n[i]);
  assert_int_equal(d.count, 0);
  assert_false(th_jobs_done(jobs, 1));
  th_jobs_wait(jobs, 2);
  assert_int_equal(d.count, 2);
  th_jobs_wait(jobs, 0);
  th_jobs_wait(jobs, 1);
  assert_int_equal(d.count, 2);
  th_jobs_free(jobs);
  assert_int_equal(d.count, 2);
}

typedef struct gate {
  _Atomic int started, ended;
} gate;

static void slow(void *context) {
  gate *g = context;
  atomic_fetch_add(&g->started, 1);
  struct timespec nap = {.tv_nsec = 20000000};
  nanosleep(&nap, NULL);
  atomic_fetch_add(&g->ended, 1);
}

static void shutdown_lets_the_running_job_end_and_drops_the_rest(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  th_jobs *jobs = NULL;
  assert_int_equal(th_jobs_make(&env, 1, 64, &jobs, NULL), TH_OK);
  gate g = {0};
  for (int i = 0; i < 50; i++) th_jobs_submit(jobs, slow, &g);
  while (atomic_load(&g.started) == 0) {
  }
  th_jobs_free(jobs);
  assert_int_equal(atomic_load(&g.started), atomic_load(&g.ended));
  assert_true(atomic_load(&g.ended) < 50);
  failing_assert_empty(&f);
}

typedef struct meeting {
  _Atomic int here;
  int expected;
  _Atomic int late; /* gave up waiting for the others */
} meeting;

/* Ends only when as many as expected run at once. */
static void meet(void *context) {
  meeting *m = context;
  atomic_fetch_add(&m->here, 1);
  struct timespec nap = {.tv_nsec = 1000000};
  for (int k = 0; k < 20000 && atomic_load(&m->here) < m->expected; k++) nanosleep(&nap, NULL);
  if (atomic_load(&m->here) < m->expected) atomic_fetch_add(&m->late, 1);
}

/* shows: PLAN-05 */
static void several_threads_run_several_jobs(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  th_jobs *jobs = NULL;
  assert_int_equal(th_jobs_make(&env, 3, 5, &jobs, NULL), TH_OK);
  failing_lock(&f);
  for (int round = 0; round < 20; round++) {
    meeting m = {.expected = 3};
    th_ticket ticket = 0;
    for (int k = 0; k < 3; k++) ticket = th_jobs_submit(jobs, meet, &m);
    th_jobs_wait(jobs, ticket);
    assert_int_equal(atomic_load(&m.late), 0);
    assert_true(th_jobs_done(jobs, ticket));
  }
  failing_unlock(&f);
  th_jobs_free(jobs);
  failing_assert_empty(&f);
}

/* The first one ends last: until then none counts as ended, then all do. */
static void hold(void *context) {
  struct timespec nap = {.tv_nsec = 1000000};
  while (!atomic_load((_Atomic int *)context)) nanosleep(&nap, NULL);
}

static void what_ends_early_waits_for_those_before_it(void **state) {
  (void)state;
  th_jobs *jobs = NULL;
  _Atomic int open = 0;
  gate g = {0};
  assert_int_equal(th_jobs_make(NULL, 2, 64, &jobs, NULL), TH_OK);
  th_jobs_submit(jobs, hold, &open);
  for (int k = 0; k < 4; k++) th_jobs_submit(jobs, slow, &g);
  while (atomic_load(&g.ended) < 4) {
  }
  assert_false(th_jobs_done(jobs, 1) || th_jobs_done(jobs, 5));
  atomic_store(&open, 1);
  th_jobs_wait(jobs, 1);
  th_jobs_wait(jobs, 5);
  assert_true(th_jobs_done(jobs, 5));
  th_jobs_free(jobs);
}

static void count_faults(void *user, th_log_level level, const char *text) {
  (void)text;
  if (level == TH_LOG_FAULT) ++*(int *)user;
}

static void an_unknown_ticket_is_a_fault_not_a_hang(void **state) {
  (void)state;
  for (uint32_t background = 0; background < 2; background++) {
    int faults = 0;
    th_env env = {.log = {count_faults, &faults}};
    th_jobs *jobs = NULL;
    assert_int_equal(th_jobs_make(&env, background, 4, &jobs, NULL), TH_OK);
    th_jobs_wait(jobs, 7);
    assert_int_equal(faults, 1);
    assert_false(th_jobs_done(jobs, 7));
    th_jobs_free(jobs);
  }
}

static void capacity_is_checked(void **state) {
  (void)state;
  th_jobs *jobs = NULL;
  th_error error;
  assert_int_equal(th_jobs_make(NULL, 0, 0, &jobs, &error), TH_ERROR_RANGE);
  assert_string_equal(error.text, "expected a capacity of 1 to 65536, found 0");
  assert_int_equal(th_jobs_make(NULL, 0, 65537, &jobs, &error), TH_ERROR_RANGE);
  assert_int_equal(th_jobs_make(NULL, TH_MAX_JOB_THREADS + 1, 8, &jobs, &error), TH_ERROR_RANGE);
  assert_null(jobs);
}

static th_result make_jobs(const th_env *env, void *context) {
  (void)context;
  th_jobs *jobs = NULL;
  th_result result = th_jobs_make(env, 1, 10, &jobs, NULL);
  th_jobs_free(jobs);
  return result;
}

static void a_failing_allocator_leaves_no_queue(void **state) {
  (void)state;
  assert_int_equal(failing_every(make_jobs, NULL), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jobs_run_in_order),
      cmocka_unit_test(without_a_thread_a_job_runs_when_waited_for),
      cmocka_unit_test(shutdown_lets_the_running_job_end_and_drops_the_rest),
      cmocka_unit_test(several_threads_run_several_jobs),
      cmocka_unit_test(what_ends_early_waits_for_those_before_it),
      cmocka_unit_test(an_unknown_ticket_is_a_fault_not_a_hang),
      cmocka_unit_test(capacity_is_checked),
      cmocka_unit_test(a_failing_allocator_leaves_no_queue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
