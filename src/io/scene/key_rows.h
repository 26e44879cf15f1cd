/* io/scene/key_rows.h - how rows of tables of keys are written. For the files of tables only. */
#ifndef TH_IO_SCENE_KEY_ROWS_H
#define TH_IO_SCENE_KEY_ROWS_H

#include <math.h>
#include <stddef.h>

#include "io/scene/keys.h"

#define AT(type, member) (uint32_t) offsetof(type, member)
#define LOW -HUGE_VAL /* no limit */
#define HIGH HUGE_VAL
#define COUNT_OF(keys) (uint32_t)(sizeof(keys) / sizeof *(keys))

/* KEY(name, kind, struct, member, least, most, flags, unit, text) and forms for lists and parts */
#define KEY(n, k, s, m, lo, hi, f, u, t) \
  { n, k, AT(s, m), 0, lo, hi, NULL, NULL, f, u, t }
#define MANY(n, k, s, m, c, lo, hi, f, u, t) \
  { n, k, AT(s, m), AT(s, c), lo, hi, NULL, NULL, f, u, t }
#define PART(n, s, m, table, f, t) \
  { n, TH_KEY_OBJECT, AT(s, m), 0, LOW, HIGH, NULL, table, f, "", t }
#define LIST(n, s, m, c, table, f, t) \
  { n, TH_KEY_LIST, AT(s, m), AT(s, c), LOW, HIGH, NULL, table, f, "", t }
#define PICK(n, s, m, names, f, t) \
  { n, TH_KEY_CHOICE, AT(s, m), 0, LOW, HIGH, names, NULL, f, "", t }
#define WITH(s, m, table) \
  { "", TH_KEY_INCLUDE, AT(s, m), 0, LOW, HIGH, NULL, table, 0, "", "" }
#define PLAIN_TABLE(n, t, keys, type) n, t, keys, COUNT_OF(keys), sizeof(type), UINT32_MAX, NULL, NULL

#endif
