/* io/building/marks.c - level and terrain of each face of a mesh file that Throng wrote.
 *
 * The library that reads meshes drops what it does not know, so the marks are read here, from the bytes: the properties
 * `level` and `terrain` of the faces of a PLY file (text, or binary with the low byte first), the comments of an OBJ
 * file. In both formats comments hold the names and speeds of terrains. A file is refused when another program changed
 * it so that the marks no longer fit its triangles; a file without marks is accepted. Cost: linear.
 */
#include "io/building/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"

#define LONGEST 256
#define MAX_PROPERTIES 64

typedef struct cursor {
  const char *path, *text;
  size_t length, at;
  uint32_t line;
} cursor;

static bool next_line(cursor *c, char line[LONGEST]) {
  size_t length = 0;
  if (c->at >= c->length) return false;
  for (; c->at < c->length && c->text[c->at] != '\n'; c->at++)
    if (length + 1 < LONGEST && c->text[c->at] != '\r') line[length++] = c->text[c->at];
  line[length] = 0;
  c->at++;
  c->line++;
  return true;
}

static th_result fail(const cursor *c, const char *expected, const char *found, th_error *error) {
  th_fail(error, TH_ERROR_FORMAT, c->path, "expected %s, found %.100s", expected, found);
  if (error) error->line = c->line;
  return TH_ERROR_FORMAT;
}

/* "0.5,0.7" behind "open," or "blocked,": speeds up and down, 0 = none of its own. */
static bool read_climb(const char *word, th_terrain *kind) {
  const char *rest = strchr(word, ',');
  double up, down;
  if (!rest) return true;
  rest++;
  if (!th_number_read(&rest, &up) || *rest++ != ',' || !th_number_read(&rest, &down) || *rest) return false;
  kind->speed_up = (float)up;
  kind->speed_down = (float)down;
  return up >= 0.0 && up <= 10.0 && down >= 0.0 && down <= 10.0;
}

/* "terrain 1 0.6 open stairs" or "terrain 1 0.6 open,0.5,0.7 stairs" */
static th_result read_terrain(const cursor *c, const char *text, th_marks *m, th_error *error) {
  unsigned number;
  char word[2][40], name[64];
  double speed = 0.0;
  const char *rest = word[0];
  if (sscanf(text, "terrain %u %39s %39s %63[^\n]", &number, word[0], word[1], name) != 4 ||
      number != m->terrain_count || number >= TH_MAX_TERRAINS || !th_number_read(&rest, &speed) ||
      !(speed >= 0.01 * 0.999 && speed <= 10.0))
    return fail(c, "the next terrain with a speed from 0.01 to 10, open or blocked, and a name", text, error);
  memcpy(m->name[number], name, sizeof name);
  m->terrain[number] = (th_terrain){.speed = (float)speed, .blocked = strncmp(word[1], "blocked", 7) == 0};
  if (!read_climb(word[1], &m->terrain[number]))
    return fail(c, "speeds up and down from 0 to 10 behind open or blocked", text, error);
  m->terrain_count++;
  return TH_OK;
}

static bool add_face(const th_allocator *a, th_marks *m, int32_t level, uint8_t terrain) {
  if (m->count == m->capacity) {
    uint32_t capacity = m->capacity;
    if (!th_grow(a, (void **)&m->level, &capacity, m->count + 1, sizeof *m->level)) return false;
    uint32_t second = m->capacity;
    if (!th_grow(a, (void **)&m->terrain_of, &second, m->count + 1, sizeof *m->terrain_of)) {
      TH_GIVE(a, m->level, capacity); /* both lists have one capacity */
      m->level = NULL;
      return false;
    }
    m->capacity = capacity;
  }
  m->level[m->count] = level;
  m->terrain_of[m->count++] = terrain;
  return true;
}

static th_result read_obj(cursor *c, const th_allocator *a, th_marks *m, th_error *error) {
  char line[LONGEST];
  int level = 0;
  unsigned terrain = 0;
  while (next_line(c, line)) {
    if (strncmp(line, "# throng terrain ", 17) == 0) {
      th_result result = read_terrain(c, line + 9, m, error);
      if (result != TH_OK) return result;
    } else if (strncmp(line, "# throng faces ", 15) == 0) {
      if (sscanf(line + 15, "%d %u", &level, &terrain) != 2 || terrain >= m->terrain_count)
        return fail(c, "a level and a terrain that was named before", line, error);
    } else if (line[0] == 'f' && line[1] == ' ' && m->terrain_count) {
      if (!add_face(a, m, level, (uint8_t)terrain)) return th_fail_memory(error, c->path);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- PLY */

typedef struct property {
  uint8_t size, length; /* bytes of a value, of a list's length (0: no list) */
  bool level, terrain;
} property;

typedef struct layout {
  property property[2][MAX_PROPERTIES]; /* of vertices and faces */
  uint32_t properties[2];
  unsigned long count[2];
  bool binary, known, level, terrain;
} layout;

static uint8_t size_of(const char *type) {
  static const char *const name[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                        {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                        {"float", "float32"}, {"double", "float64"}};
  static const uint8_t size[] = {1, 1, 2, 2, 4, 4, 4, 8};
  for (int i = 0; i < 8; i++)
    if (strcmp(type, name[i][0]) == 0 || strcmp(type, name[i][1]) == 0) return size[i];
  return 0;
}

static void read_property(const char *line, int element, layout *l) {
  char a[32], b[32], name[32];
  if (element < 0 || l->properties[element] == MAX_PROPERTIES) {
    l->known = false;
    return;
  }
  property *p = &l->property[element][l->properties[element]++];
  *p = (property){0};
  if (sscanf(line, "property list %31s %31s", a, b) == 2) {
    p->length = size_of(a);
    p->size = size_of(b);
  } else if (sscanf(line, "property %31s %31s", a, name) == 2) {
    p->size = size_of(a);
    p->level = element == 1 && strcmp(name, "level") == 0 && p->size == 4;
    p->terrain = element == 1 && strcmp(name, "terrain") == 0 && p->size == 1;
    l->level |= p->level;
    l->terrain |= p->terrain;
  }
}

static th_result read_header(cursor *c, layout *l, th_marks *m, th_error *error) {
  char line[LONGEST];
  int element = -1;
  while (next_line(c, line) && strcmp(line, "end_header") != 0) {
    th_result result = TH_OK;
    if (strncmp(line, "comment throng terrain ", 23) == 0) result = read_terrain(c, line + 15, m, error);
    if (strncmp(line, "format ", 7) == 0) {
      l->binary = strstr(line, "binary_little_endian") != NULL;
      l->known = l->binary || strstr(line, "ascii");
    }
    if (strncmp(line, "element ", 8) == 0) {
      element = strncmp(line + 8, "vertex ", 7) == 0 ? 0 : strncmp(line + 8, "face ", 5) == 0 ? 1 : -1;
      if (element < 0 || (element == 0 && l->properties[1])) l->known = false; /* a file of another program: no marks */
      if (element >= 0) l->count[element] = strtoul(strrchr(line, ' ') + 1, NULL, 10);
    }
    if (strncmp(line, "property ", 9) == 0) read_property(line, element, l);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

/* One number; false at the end of the file. Only whole numbers below 2^31 are needed. */
static bool read_value(cursor *c, bool binary, uint8_t size, int32_t *value) {
  if (binary) {
    if (c->length < c->at || c->length - c->at < size) return false;
    uint32_t bits = 0;
    for (int k = 0; k < size && k < 4; k++) bits |= (uint32_t)(uint8_t)c->text[c->at + (size_t)k] << (8 * k);
    c->at += size;
    memcpy(value, &bits, sizeof bits);
    return true;
  }
  char word[40];
  size_t length = 0;
  while (c->at < c->length && c->text[c->at] <= ' ') c->at++;
  while (c->at < c->length && c->text[c->at] > ' ' && length + 1 < sizeof word) word[length++] = c->text[c->at++];
  word[length] = 0;
  const char *rest = word;
  double number = 0.0;
  if (!th_number_read(&rest, &number)) return false;
  *value = number > -2e9 && number < 2e9 ? (int32_t)number : 0;
  return true;
}

static bool read_row(cursor *c, const layout *l, int element, int32_t *level, int32_t *terrain) {
  for (uint32_t k = 0; k < l->properties[element]; k++) {
    const property *p = &l->property[element][k];
    int32_t count = 1, value = 0;
    if (p->length && (!read_value(c, l->binary, p->length, &count) || count < 0)) return false;
    for (int32_t i = 0; i < count; i++)
      if (!read_value(c, l->binary, p->size, &value)) return false;
    if (p->level) *level = value;
    if (p->terrain) *terrain = value;
  }
  return true;
}

static th_result read_ply(cursor *c, const th_allocator *a, th_marks *m, th_error *error) {
  layout l = {.known = true};
  th_result result = read_header(c, &l, m, error);
  if (result != TH_OK || !l.known || !l.level || !l.terrain || !m->terrain_count) {
    m->terrain_count = 0;
    return result;
  }
  int32_t level = 0, terrain = 0;
  for (int element = 0; element < 2; element++) {
    for (unsigned long i = 0; i < l.count[element]; i++) {
      if (!read_row(c, &l, element, &level, &terrain)) return fail(c, "a whole file", "its end", error);
      if (element == 0) continue;
      if (terrain < 0 || (uint32_t)terrain >= m->terrain_count)
        return fail(c, "a terrain that is named", "another", error);
      if (!add_face(a, m, level, (uint8_t)terrain)) return th_fail_memory(error, c->path);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- result */

static bool copy_names(const th_marks *m, th_building *b) {
  b->terrain_count = m->terrain_count;
  for (uint32_t i = 0; i < m->terrain_count; i++) b->tail.names_size += strlen(m->name[i]) + 1;
  b->terrain = TH_TAKE(&b->allocator, th_terrain, b->terrain_count);
  b->names = TH_TAKE(&b->allocator, char, b->tail.names_size);
  if (!b->terrain || !b->names) return false;
  char *to = b->names;
  for (uint32_t i = 0; i < m->terrain_count; i++) {
    size_t size = strlen(m->name[i]) + 1;
    memcpy(to, m->name[i], size);
    b->terrain[i] = m->terrain[i];
    b->terrain[i].name = to;
    to += size;
  }
  return true;
}

th_result th_marks_keep(const char *where, th_marks *m, th_building *b, th_error *error) {
  b->face_count = b->mesh.face_count;
  bool marked = m->terrain_count && m->count;
  if (marked && m->count != b->mesh.given_faces)
    return th_fail(error, TH_ERROR_FORMAT, where, "expected a level and a terrain of each of %u triangles, found %u",
                   b->mesh.given_faces, m->count);
  if (!marked) {
    m->terrain_count = 1;
    m->terrain[0] = (th_terrain){.speed = 1.0f};
    snprintf(m->name[0], sizeof m->name[0], "floor");
  }
  b->level_of = TH_TAKE(&b->allocator, int32_t, b->face_count);
  b->terrain_of = TH_TAKE(&b->allocator, uint8_t, b->face_count);
  if (!b->level_of || !b->terrain_of || !copy_names(m, b)) return th_fail_memory(error, where);
  for (uint32_t f = 0; f < b->face_count; f++) {
    b->level_of[f] = marked ? m->level[b->mesh.face_from[f]] : 0;
    b->terrain_of[f] = marked ? m->terrain_of[b->mesh.face_from[f]] : 0;
  }
  return TH_OK;
}

th_result th_marks_read(const char *path, const th_file_bytes *file, const th_allocator *allocator, th_marks *m,
                        th_error *error) {
  cursor c = {path, (const char *)file->bytes, file->size, 0, 0};
  const char *dot = strrchr(path, '.');
  *m = (th_marks){.allocator = *allocator};
  if (dot && th_letters_same(dot, ".obj")) return read_obj(&c, allocator, m, error);
  if (dot && th_letters_same(dot, ".ply")) return read_ply(&c, allocator, m, error);
  return TH_OK;
}

void th_marks_free(th_marks *m) {
  TH_GIVE(&m->allocator, m->level, m->capacity);
  TH_GIVE(&m->allocator, m->terrain_of, m->capacity);
  m->level = NULL, m->terrain_of = NULL, m->capacity = 0;
}
