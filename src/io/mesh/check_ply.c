/* io/mesh/check_ply.c - checks PLY files before they are read: header, sizes, indices.
 *
 * The header of a PLY file is a small schema (Turk 1994): elements with a count, each with properties of fixed types or
 * lists. The data are scanned once by that schema, so a truncated file, a wrong count and an index out of range are
 * found in any order of elements; nothing is allocated from the counts of the header.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "io/mesh/check.h"

#define MAX_ELEMENTS 16
#define MAX_PROPERTIES 64
#define LONGEST_LINE 256

typedef enum type { I8, U8, I16, U16, I32, U32, F32, F64, NO_TYPE } type;

typedef struct property {
  type value, length; /* length: NO_TYPE unless a list */
  bool indices;       /* corners of faces */
  bool coordinate;
  uint32_t axis; /* of a coordinate */
} property;

typedef struct element {
  char name[32];
  uint64_t count;
  uint32_t first, properties;
} element;

typedef enum form { TEXT, LITTLE, BIG } form;

typedef struct ply {
  const th_mesh_source *source;
  th_error *error;
  form form;
  element element[MAX_ELEMENTS];
  property property[MAX_PROPERTIES];
  uint32_t elements, properties, line;
  uint64_t vertices, faces;
  bool floats; /* all coordinates */
  size_t at;
} ply;

static th_result fail(const ply *p, const char *expected, const char *found) {
  return th_mesh_fail_line(p->error, p->source, p->line, expected, found);
}

/* One line of the header without its end; false at the end of the file or when it is too long. */
static bool read_line(ply *p, char *line) {
  size_t length = 0;
  for (; p->at < p->source->size; p->at++) {
    char c = (char)p->source->bytes[p->at];
    if (c == '\n') break;
    if (c == '\0' || length + 1 >= LONGEST_LINE) return false;
    if (c != '\r') line[length++] = c;
  }
  line[length] = '\0';
  if (p->at >= p->source->size) return false;
  p->at++;
  p->line++;
  return true;
}

static type type_of(const char *name) {
  static const struct {
    const char *name, *other;
  } names[] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
               {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
  for (int i = 0; i < NO_TYPE; i++)
    if (strcmp(name, names[i].name) == 0 || strcmp(name, names[i].other) == 0) return (type)i;
  return NO_TYPE;
}

static th_result add_element(ply *p, const char *line) {
  char count[32], *rest;
  if (p->elements == MAX_ELEMENTS) return fail(p, "at most 16 elements", line);
  element *e = &p->element[p->elements++];
  *e = (element){.first = p->properties};
  if (sscanf(line, "element %31s %31s", e->name, count) != 2) return fail(p, "element NAME COUNT", line);
  e->count = strtoull(count, &rest, 10);
  if (*rest || count[0] == '-' || e->count > TH_MESH_MAX_FACES * 3ull)
    return fail(p, "a count of at most 805306368", count);
  if (strcmp(e->name, "vertex") == 0) p->vertices = e->count;
  if (strcmp(e->name, "face") == 0) p->faces = e->count;
  return TH_OK;
}

static th_result add_property(ply *p, const char *line) {
  char a[32], b[32], name[32];
  if (!p->elements || p->properties == MAX_PROPERTIES) return fail(p, "an element before, and 64 properties", line);
  element *e = &p->element[p->elements - 1];
  property *q = &p->property[p->properties++];
  *q = (property){.length = NO_TYPE};
  e->properties++;
  if (sscanf(line, "property list %31s %31s %31s", a, b, name) == 3) {
    q->length = type_of(a);
    q->value = type_of(b);
    q->indices = strcmp(e->name, "face") == 0 && strncmp(name, "vertex_ind", 10) == 0;
    if (q->length >= F32 || q->value == NO_TYPE) return fail(p, "property list INTEGER TYPE NAME", line);
    return TH_OK;
  }
  if (sscanf(line, "property %31s %31s", a, name) != 2) return fail(p, "property TYPE NAME", line);
  q->value = type_of(a);
  if (q->value == NO_TYPE) return fail(p, "a type such as float or uchar", a);
  bool axis = (name[0] == 'x' || name[0] == 'y' || name[0] == 'z') && name[1] == '\0';
  q->coordinate = axis && strcmp(e->name, "vertex") == 0;
  q->axis = axis ? (uint32_t)(name[0] - 'x') : 0;
  return TH_OK;
}

static th_result read_header(ply *p) {
  char line[LONGEST_LINE], word[32] = "";
  if (!read_line(p, line) || strcmp(line, "ply") != 0) return fail(p, "ply in the first line", "something else");
  bool formed = false;
  while (read_line(p, line)) {
    th_result result = TH_OK;
    if (strcmp(line, "end_header") == 0) return formed ? TH_OK : fail(p, "a line with the format before", line);
    if (sscanf(line, "format %31s 1.0", word) == 1) {
      formed = true;
      p->form = strcmp(word, "ascii") == 0 ? TEXT : strcmp(word, "binary_big_endian") == 0 ? BIG : LITTLE;
      if (p->form == LITTLE && strcmp(word, "binary_little_endian") != 0) return fail(p, "a format of PLY", word);
    } else if (strncmp(line, "element ", 8) == 0) {
      result = add_element(p, line);
    } else if (strncmp(line, "property ", 9) == 0) {
      result = add_property(p, line);
    } else if (strncmp(line, "comment", 7) != 0 && strncmp(line, "obj_info", 8) != 0 && line[0]) {
      return fail(p, "element, property, comment or end_header", line);
    }
    if (result != TH_OK) return result;
  }
  return fail(p, "end_header", "the end of the file, or a line that is none");
}

static double number_of(const uint8_t *raw, type t) {
  int8_t i8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  float f32;
  double f64;
  switch (t) {
    case I8:
      return memcpy(&i8, raw, 1), i8;
    case U8:
      return raw[0];
    case I16:
      return memcpy(&i16, raw, 2), i16;
    case U16:
      return memcpy(&u16, raw, 2), u16;
    case I32:
      return memcpy(&i32, raw, 4), i32;
    case U32:
      return memcpy(&u32, raw, 4), u32;
    case F32:
      return memcpy(&f32, raw, 4), (double)f32;
    default:
      return memcpy(&f64, raw, 8), f64;
  }
}

static bool read_text(ply *p, double *value) {
  const uint8_t *b = p->source->bytes;
  char word[64];
  const char *rest = word;
  size_t length = 0;
  while (p->at < p->source->size && (b[p->at] == ' ' || b[p->at] == '\t' || b[p->at] == '\r' || b[p->at] == '\n')) {
    p->line += b[p->at] == '\n';
    p->at++;
  }
  for (; p->at < p->source->size && b[p->at] > ' ' && length + 1 < sizeof word; p->at++)
    word[length++] = (char)b[p->at];
  word[length] = '\0';
  return th_number_read(&rest, value) && !*rest;
}

static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8}; /* by type */

/* A number of the data; false when the file ends before, or it is none. */
static bool read_number(ply *p, type t, double *value) {
  if (p->form == TEXT) return read_text(p, value);
  size_t size = sizes[t];
  uint8_t raw[8];
  if (p->source->size - p->at < size) return false;
  for (size_t k = 0; k < size; k++) raw[p->form == BIG ? size - 1 - k : k] = p->source->bytes[p->at + k];
  *value = number_of(raw, t); /* low byte first, as on all supported machines */
  p->at += size;
  return true;
}

static th_result fail_at(const ply *p, const element *e, uint64_t row, const char *expected, const char *found) {
  return th_fail_at(p->error, TH_ERROR_FORMAT, p->source->where, (uint32_t)row,
                    "%s %llu of %llu: expected %s, found %s at byte %zu", e->name, (unsigned long long)row,
                    (unsigned long long)e->count, expected, found, p->at);
}

/* Shifts the coordinate that was read last. Whole numbers of a binary file have no room for it. */
static void move(const ply *p, const property *q, double value) {
  if (p->form == TEXT)
    th_mesh_move_text(p->source, p->at, q->axis, value);
  else if (p->floats)
    th_mesh_move_raw(p->source, p->at, sizes[q->value], p->form == BIG, q->axis, value);
}

static th_result walk_property(ply *p, const element *e, uint64_t row, const property *q) {
  double length = 1.0, value;
  if (q->length != NO_TYPE && !read_number(p, q->length, &length))
    return fail_at(p, e, row, "the length of a list", "the end of the file");
  if (!(length >= 0.0 && length <= (double)(p->source->size - p->at) + 1.0))
    return fail_at(p, e, row, "a list that fits the file", "a longer one");
  if (q->indices && length < 3.0) return fail_at(p, e, row, "3 corners or more", "fewer");
  for (uint64_t k = (uint64_t)length; k > 0; k--) {
    if (!read_number(p, q->value, &value)) return fail_at(p, e, row, "a number", "the end of the file or a word");
    if (q->coordinate && !isfinite(value)) return fail_at(p, e, row, "a finite coordinate", "none");
    if (q->coordinate) move(p, q, value);
    if (q->indices && !(value >= 0.0 && value < (double)p->vertices))
      return fail_at(p, e, row, "a vertex that exists", "one that does not");
  }
  return TH_OK;
}

static th_result walk_data(ply *p) {
  for (uint32_t i = 0; i < p->elements; i++) {
    const element *e = &p->element[i];
    if (e->count && !e->properties) return fail(p, "properties of each element", e->name);
    for (uint64_t row = 0; row < e->count; row++) {
      for (uint32_t k = 0; k < e->properties; k++) {
        th_result result = walk_property(p, e, row, &p->property[e->first + k]);
        if (result != TH_OK) return result;
      }
    }
  }
  return TH_OK;
}

th_result th_mesh_check_ply(const th_mesh_source *source, th_error *error) {
  ply p = {.source = source, .error = error, .floats = true};
  th_result result = read_header(&p);
  if (result != TH_OK) return result;
  uint32_t axes = 0, corners = 0;
  for (uint32_t k = 0; k < p.properties; k++) {
    axes += p.property[k].coordinate;
    if (p.property[k].coordinate && p.property[k].value < F32) p.floats = false;
    corners += p.property[k].indices;
  }
  if (axes != 3 || corners != 1 || !p.vertices || !p.faces)
    return th_fail(error, TH_ERROR_FORMAT, source->where,
                   "expected vertices with x, y, z and faces with one list vertex_indices, found %llu and %llu",
                   (unsigned long long)p.vertices, (unsigned long long)p.faces);
  return walk_data(&p);
}
