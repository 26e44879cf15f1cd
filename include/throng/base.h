/* throng/base.h - what every other header needs: results, errors, and the services a host may replace.
 *
 * There is no global state. A host hands its services over in a th_env; an all-zero th_env means malloc,
 * messages on standard error and the built-in worker threads.
 * Threads: any; services of a host are called from any thread.
 */
#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the library offers. On Windows a user of the static library defines TH_STATIC; our own build defines
 * TH_BUILDING. */
#if defined(_WIN32) && defined(TH_BUILDING)
#define TH_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(TH_STATIC)
#define TH_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TH_API __attribute__((visibility("default")))
#else
#define TH_API
#endif

#define TH_VERSION_MAJOR 0
#define TH_VERSION_MINOR 1
#define TH_VERSION_PATCH 0

/** Outcome of a call. Programmer errors, such as a stale id, are faults in the log, too. */
typedef enum th_result {
  TH_OK = 0,
  TH_ERROR_MEMORY,      /* the allocator returned NULL */
  TH_ERROR_RANGE,       /* a number lies outside its documented range, or is NaN */
  TH_ERROR_FORMAT,      /* a file or text breaks its own format */
  TH_ERROR_FILE,        /* a file cannot be read or written */
  TH_ERROR_GEOMETRY,    /* shapes that cross themselves, goals inside walls, places off the ground */
  TH_ERROR_UNREACHABLE, /* no path leads there */
  TH_ERROR_CAPACITY,    /* a documented limit or a capacity of a def is exceeded */
  TH_ERROR_STATE,       /* a call in the wrong order, or a stale id */
  TH_ERROR_STOPPED      /* the caller asked to stop */
} th_result;

#define TH_NO_ELEMENT UINT32_MAX

/** Details of a failed call. Owned by the caller; every call accepts NULL. Untouched when the call succeeds. */
typedef struct th_error {
  th_result code;
  uint32_t line, column; /* 1-based position in `where`; 0 when there is none */
  uint32_t element;      /* polygon, agent, pixel row ...; TH_NO_ELEMENT when there is none */
  char where[160];       /* file or parameter */
  char text[352];        /* what was expected, what was found */
} th_error;

/** Memory. `align` is a power of two. `release` receives the size that was asked for. Called from any thread. */
typedef struct th_allocator {
  void *(*allocate)(void *user, size_t size, size_t align);
  void (*release)(void *user, void *memory, size_t size);
  void *user;
} th_allocator;

typedef enum th_log_level { TH_LOG_INFO, TH_LOG_WARNING, TH_LOG_FAULT } th_log_level;

/** Messages; TH_LOG_FAULT reports a programmer error, after which the call does nothing. Called from any thread. */
typedef struct th_log {
  void (*write)(void *user, th_log_level level, const char *text);
  void *user;
} th_log;

/** Threads of the host. `run` calls task(context, i) once for every i below `count`, in any order on any thread,
 *  and returns when all have ended. */
typedef struct th_tasks {
  void (*run)(void *user, uint32_t count, void (*task)(void *context, uint32_t index), void *context);
  void *user;
} th_tasks;

/** Services of the host. Zero-initialise for the defaults. Copied by the call that takes it. */
typedef struct th_env {
  th_allocator allocator;
  th_log log;
  th_tasks tasks;
} th_env;

TH_API th_env th_default_env(void); /* malloc, standard error, threads of its own */

/** "0.1.0". Any thread. */
TH_API const char *th_version(void);

/** Short name of a result, such as "range". Any thread. */
TH_API const char *th_result_name(th_result result);

/** A point or vector in ground coordinates [m]. */
typedef struct th_vec2 {
  float x, y;
} th_vec2;

/** A point in space [m]; z is up. On flat ground z is 0. */
typedef struct th_vec3 {
  float x, y, z;
} th_vec3;

/** A rotation: (cos, sin). The identity is {1, 0}. */
typedef struct th_turn {
  float c, s;
} th_turn;

/** Limits for hosts that read a world and for authors of models and guides. */
#define TH_MAX_LINKS 8
#define TH_MAX_ROLE 65535

/** What a link is to its agent. Models and guides look for the roles they know; a host may have roles of its own. */
typedef enum th_role {
  TH_ROLE_NONE,     /* known by its number alone */
  TH_ROLE_LEADER,   /* the agent that it follows */
  TH_ROLE_PARTNER,  /* the agent that it walks with */
  TH_ROLE_TARGET,   /* what it approaches or keeps away from */
  TH_ROLE_FOCUS,    /* where it looks */
  TH_ROLE_PURSUER,  /* what it escapes from */
  TH_ROLE_USER = 16 /* the first of the host's own, up to TH_MAX_ROLE */
} th_role;

typedef enum th_gait { TH_GAIT_STAND, TH_GAIT_WALK, TH_GAIT_RUN } th_gait;
#define TH_GAIT_RUN_SPEED 2.2f /* [m/s]: built-in models call it a run above this speed */

typedef enum th_agent_state {
  TH_AGENT_DELAYED, /* not in the world yet */
  TH_AGENT_WALKING,
  TH_AGENT_WAITING, /* at a stop, or for its field */
  TH_AGENT_ARRIVED, /* at its last stop, still standing there */
  TH_AGENT_LOST,    /* no path to its goal */
  TH_AGENT_EXTERNAL,
  TH_AGENT_PREMOVEMENT /* in the world, but its premovement time is not over */
} th_agent_state;

/** The number type of a relaxation. */
typedef enum th_precision { TH_PRECISION_DOUBLE, TH_PRECISION_FLOAT } th_precision;

/** How a personal vector v acts on its agent. */
typedef enum th_sense {
  TH_SENSE_PULL,   /* an agent with eps > 0 deviates towards v (form S); default */
  TH_SENSE_LITERAL /* the equation as printed: it deviates away from v (form G) */
} th_sense;

/** Which vector instructions to use. Every choice gives the same bits. */
typedef enum th_simd { TH_SIMD_AUTO = 0, TH_SIMD_FOUR, TH_SIMD_AVX2, TH_SIMD_AVX512 } th_simd;

/** "four", "avx2", "avx512"; the widest set of this processor, or what the variable TH_SIMD asks for. Any thread. */
TH_API const char *th_simd_name(th_simd simd);

/** True when this processor can run the set. Any thread. */
TH_API bool th_simd_has(th_simd simd);

#ifdef __cplusplus
}
#endif
#endif
