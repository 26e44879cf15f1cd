/* io/pack/read.c - packs from JSON.
 *
 * A pack is read by tables of keys, as a scene is, so a mistake is told with file, line, column and key. Whatever its
 * counts say is compared with the length of the text beside them before any memory is taken for it; what is inside the
 * arrays (corners, coordinates) is checked by those who check it for any other source. Cost: linear.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/pack/base64.h"
#include "io/pack/pack.h"

#define AT(type, member) (uint32_t) offsetof(type, member)
#define COUNT_OF(keys) (uint32_t)(sizeof(keys) / sizeof *(keys))
#define KEY(n, k, s, m, lo, hi, f, t) \
  { n, k, AT(s, m), 0, lo, hi, NULL, NULL, f, "", t }
#define LONG_TEXT(n, s, m, f, t) KEY(n, TH_KEY_LONG_TEXT, s, m, -HUGE_VAL, HUGE_VAL, f, t)
#define PART(n, s, m, table, t) \
  { n, TH_KEY_OBJECT, AT(s, m), 0, 0, 0, NULL, table, TH_KEY_AWAY, "", t }
#define LIST(n, s, m, c, table, f, t) \
  { n, TH_KEY_LIST, AT(s, m), AT(s, c), 0, 0, NULL, table, f, "", t }
#define PLAIN(n, t, keys, type) n, t, keys, COUNT_OF(keys), sizeof(type), UINT32_MAX, NULL, NULL
#define NEEDED TH_KEY_NEEDED
#define MAX_PIXELS (1u << 28)

/* Fails unless `text`, of the key `key`, stands for so many bytes. */
static th_result check_bytes(th_scene_reader *reader, const char *key, const char *text, uint64_t size) {
  if (size < SIZE_MAX && th_base64_fits(text, (size_t)size)) return TH_OK;
  th_reader_enter(reader, key);
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected %llu bytes in base64, found a text of %zu characters",
                        (unsigned long long)size, strlen(text));
}

static const th_key terrain_key[] = {
    KEY("name", TH_KEY_TEXT, th_pack_terrain, name, 0, 0, NEEDED, "of the terrain"),
    KEY("speed", TH_KEY_FLOAT, th_pack_terrain, speed, 0.0099, 10, NEEDED, "factor of the wanted speed"),
    KEY("speed_up", TH_KEY_FLOAT, th_pack_terrain, speed_up, 0, 10, 0, "uphill; 0 = as speed"),
    KEY("speed_down", TH_KEY_FLOAT, th_pack_terrain, speed_down, 0, 10, 0, "downhill; 0 = as speed"),
    KEY("blocked", TH_KEY_BOOL, th_pack_terrain, blocked, 0, 0, 0, "may not be entered"),
};
static const th_table terrain_table = {PLAIN("pack_terrain", "A terrain of a mesh.", terrain_key, th_pack_terrain),
                                       NULL, NULL, NULL};

static th_result check_marks(th_scene_reader *reader, const th_pack_mesh *mesh) {
  if (!mesh->terrain_count && !mesh->level && !mesh->terrain_of) return TH_OK;
  if (!mesh->terrain_count || mesh->terrain_count > TH_MAX_TERRAINS || !mesh->level || !mesh->terrain_of)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected 1 to %d terrains with level and terrain_of, found %u", TH_MAX_TERRAINS,
                          mesh->terrain_count);
  th_result result = check_bytes(reader, "level", mesh->level, 4ull * mesh->faces);
  return result ? result : check_bytes(reader, "terrain_of", mesh->terrain_of, mesh->faces);
}

static th_result mesh_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_pack_mesh *mesh = object;
  (void)json;
  th_result result = check_bytes(reader, "corners", mesh->corners, 12ull * mesh->faces);
  if (result == TH_OK && mesh->floats) result = check_bytes(reader, "floats", mesh->floats, 12ull * mesh->vertices);
  if (result == TH_OK && mesh->doubles) result = check_bytes(reader, "doubles", mesh->doubles, 24ull * mesh->vertices);
  return result == TH_OK ? check_marks(reader, mesh) : result;
}

static const char *const up_names[] = {"given", "y", "z", NULL};
static const char *const mesh_one_of[] = {"floats", "doubles", NULL};
static const th_key mesh_key[] = {
    KEY("vertices", TH_KEY_COUNT, th_pack_mesh, vertices, 1, 3.0 * TH_MESH_MAX_FACES, NEEDED, "how many"),
    KEY("faces", TH_KEY_COUNT, th_pack_mesh, faces, 1, TH_MESH_MAX_FACES, NEEDED, "how many triangles"),
    LONG_TEXT("floats", th_pack_mesh, floats, 0, "x, y, z of each vertex, of 4 bytes"),
    LONG_TEXT("doubles", th_pack_mesh, doubles, 0, "the same, of 8 bytes"),
    LONG_TEXT("corners", th_pack_mesh, corners, NEEDED, "three vertices of each triangle, of 4 bytes"),
    {"up", TH_KEY_CHOICE, AT(th_pack_mesh, up), 0, 0, 0, up_names, NULL, NEEDED, "", "as the scene has it"},
    KEY("shift", TH_KEY_TRIPLE, th_pack_mesh, shift, -1e9, 1e9, NEEDED, "as the scene has it"),
    KEY("metres_per_unit", TH_KEY_DOUBLE, th_pack_mesh, metres_per_unit, 1e-6, 1e6, NEEDED, "as the scene has it"),
    LIST("terrains", th_pack_mesh, terrain, terrain_count, &terrain_table, 0, "of a building"),
    LONG_TEXT("level", th_pack_mesh, level, 0, "of each triangle, of 4 bytes"),
    LONG_TEXT("terrain_of", th_pack_mesh, terrain_of, 0, "of each triangle, of 1 byte"),
};
static const th_table mesh_table = {PLAIN("pack_mesh", "Triangles.", mesh_key, th_pack_mesh), mesh_one_of, NULL,
                                    mesh_check};

static th_result image_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_pack_image *image = object;
  const uint64_t pixels = (uint64_t)image->width * image->height;
  (void)json;
  if (pixels <= MAX_PIXELS) return check_bytes(reader, "grey", image->grey, pixels);
  return th_reader_fail(reader, TH_ERROR_CAPACITY, false, "expected at most %u pixels, found %u x %u", MAX_PIXELS,
                        image->width, image->height);
}

static void image_init(void *object) {
  const th_image initial = th_default_image();
  *(th_pack_image *)object =
      (th_pack_image){.dark = initial.dark, .metres_per_pixel = initial.metres_per_pixel, .origin = initial.origin};
}
static const th_key image_key[] = {
    KEY("width", TH_KEY_COUNT, th_pack_image, width, 1, MAX_PIXELS, NEEDED, "pixels"),
    KEY("height", TH_KEY_COUNT, th_pack_image, height, 1, MAX_PIXELS, NEEDED, "pixels"),
    LONG_TEXT("grey", th_pack_image, grey, NEEDED, "one byte per pixel, from the top"),
    KEY("metres_per_pixel", TH_KEY_FLOAT, th_pack_image, metres_per_pixel, 0, 100, 0, "of a robot map"),
    KEY("origin", TH_KEY_PAIR, th_pack_image, origin, 0, 0, 0, "of a robot map"),
    KEY("dark", TH_KEY_COUNT, th_pack_image, dark, 0, 255, 0, "of a robot map"),
};
static const th_table image_table = {PLAIN("pack_image", "An image.", image_key, th_pack_image), NULL, image_init,
                                     image_check};

static th_result file_check(th_scene_reader *reader, const json_t *json, void *object) {
  const th_pack_file *file = object;
  (void)json;
  return file->bytes ? check_bytes(reader, "bytes", file->bytes, file->size) : TH_OK;
}

static const char *const file_one_of[] = {"image", "mesh", "text", "bytes", NULL};
static const th_key file_key[] = {
    KEY("name", TH_KEY_TEXT, th_pack_file, name, 0, 0, NEEDED, "as the scene has it"),
    PART("image", th_pack_file, image, &image_table, "pixels"),
    PART("mesh", th_pack_file, mesh, &mesh_table, "triangles"),
    LONG_TEXT("text", th_pack_file, text, 0, "the description of a building"),
    LONG_TEXT("bytes", th_pack_file, bytes, 0, "markers"),
    KEY("size", TH_KEY_COUNT, th_pack_file, size, 0, UINT32_MAX, 0, "of the bytes"),
};
static const th_table file_table = {PLAIN("pack_file", "A file that a scene names.", file_key, th_pack_file),
                                    file_one_of, NULL, file_check};

static const th_key pack_key[] = {
    KEY("pack", TH_KEY_COUNT, th_pack, version, TH_PACK_VERSION, TH_PACK_VERSION, NEEDED, "version of packs: 1"),
    KEY("name", TH_KEY_TEXT, th_pack, name, 0, 0, 0, "of the scene's file"),
    LONG_TEXT("scene", th_pack, scene, NEEDED, "its text"),
    LIST("files", th_pack, file, file_count, &file_table, 0, "that it names"),
};
static const th_table pack_table = {PLAIN("pack", "A scene with its files.", pack_key, th_pack), NULL, NULL, NULL};

bool th_pack_is(const json_t *root) { return json_object_get(root, "pack") != NULL; }

/* PACK/NAME, as if a pack were a folder. */
static char *path_of(const th_scene_reader *reader, const th_pack *pack) {
  const char *name = pack->name ? pack->name : "scene";
  const size_t size = strlen(reader->source->name) + 1 + strlen(name) + 1;
  char *path = th_scene_memory_take(reader->memory, size, 1);
  if (path) snprintf(path, size, "%s/%s", reader->source->name, name);
  return path;
}

th_result th_pack_read(th_scene_reader *reader, const json_t *root, th_json_text *scene, th_files **files) {
  th_pack *pack = th_scene_memory_take(reader->memory, 1, sizeof *pack);
  *files = th_scene_memory_take(reader->memory, 1, sizeof **files);
  if (!pack || !*files) return th_reader_fail_memory(reader);
  th_result result = th_read_object(reader, &pack_table, root, pack);
  if (result != TH_OK) return result;
  const char *path = path_of(reader, pack), *folder = th_scene_memory_text(reader->memory, reader->source->name);
  if (!path || !folder) return th_reader_fail_memory(reader);
  *scene = (th_json_text){path, pack->scene, strlen(pack->scene)};
  **files = th_files_of_pack(pack, folder);
  return TH_OK;
}
