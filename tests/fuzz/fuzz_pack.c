/* tests/fuzz/fuzz_pack.c - any bytes as a pack: an error, or a scene whose files can all be fetched, and a few steps of
 * it where it is small. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/pack/pack.h"

static void hush(void *user, th_log_level level, const char *text) {
  (void)user;
  (void)level;
  (void)text;
}

static void *allocate(void *user, size_t size, size_t align) {
  (void)user;
  /* A small input that asks for much is refused: forged counts must not take memory. */
  if (size > (size_t)1 << 28) return NULL;
  return aligned_alloc(align, (size + align - 1) / align * align);
}

static void release(void *user, void *memory, size_t size) {
  (void)user;
  (void)size;
  free(memory);
}

static th_result drop(void *user, const th_mesh_def *def, th_error *error) {
  th_mesh mesh;
  (void)user;
  if (th_mesh_build(def, &mesh, error) == TH_OK) th_mesh_free(&mesh);
  return TH_OK;
}

/* Every file as everything that it could be. */
static void fetch(const th_scene *scene, const th_env *env) {
  const th_files *files = scene->files;
  const th_mesh_axes axes = {.up = TH_MESH_UP_GIVEN};
  for (uint32_t i = 0; files->pack && i < files->pack->file_count; i++) {
    const char *name = files->pack->file[i].name;
    th_mesh_def def = th_default_mesh_def();
    th_file_bytes bytes = {0};
    th_image_file image;
    th_marks marks;
    th_error error;
    def.env = *env;
    if (files->bytes(files, env, name, &bytes, &error) == TH_OK) th_file_unload(&env->allocator, &bytes);
    if (files->image(files, env, name, &image, &error) == TH_OK) th_image_file_free(&image);
    files->triangles(files, &def, &axes, name, &(th_mesh_use){drop, NULL}, &error);
    files->marks(files, env, name, &marks, &error);
    th_marks_free(&marks);
  }
}

/* Ground that costs little, so that the search spends its time in the reader. */
static bool is_small(const th_scene *scene) {
  const th_scene_ground *g = &scene->ground;
  const th_scene_mesh *mesh = g->mesh;
  return th_scene_agents(scene) <= 50 && !g->outline_count && !(g->def.cell > 0.0f && g->def.cell < 0.2f) &&
         (!g->image.file || g->image.metres_per_pixel < 1.0f) && !g->map && (!mesh || (mesh->file && !mesh->prepare));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const th_env env = th_env_complete(&(th_env){.allocator = {allocate, release, NULL}, .log = {hush, NULL}});
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_error error = {0};
  const th_scene_def def = {.env = env, .text = (const char *)data, .length = size};
  if (th_scene_make(&def, &scene, &error) != TH_OK) return 0;
  fetch(scene, &env);
  if (is_small(scene) && th_run_make(&(th_run_def){.env = env, .scene = scene}, &run, &error) == TH_OK) {
    for (int i = 0; i < 3 && th_run_step(run, &error) == TH_OK; i++) {
    }
    th_run_free(run);
  }
  th_scene_free(scene);
  return 0;
}
