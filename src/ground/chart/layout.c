/* ground/chart/layout.c - charts of a scan: relief finer than a body is left out of them.
 *
 * A scan shows relief at every scale down to its edges. Laid flat face by face it tears: patches shrink to single
 * faces, their charts cover less than a step, and there are as many charts as faces, each with all faces within sight.
 * But relief finer than a body does not matter for avoiding others. So, when a large ground with fine faces gives
 * patches much smaller than wanted, patches are cut from a smooth surface with the same faces
 * (geometry/mesh/smooth.h), and charts lay that one flat. Agents walk on the ground as it is: the map of a face leads
 * from its true frame to the positions of its corners in the chart. Coarse, small and gentle grounds are laid flat as
 * they are, bit for bit. Cost: 30 ms for 100,000 faces with edges of 0.2 m.
 */
#include "ground/chart/layout.h"

#include "base/memory.h"

/* In sizes of a patch, 12 m by default: relief of up to 0.6 m goes if edges are shorter than 0.3 m, patches smaller
 * than 1.5 m times 1.5 m, and the ground larger than 24 m times 24 m; smaller ones are made for smaller bodies. */
#define SCALE (1.0 / 20.0)
#define FINE (1.0 / 40.0)
#define TORN (1.0 / 8.0)
#define LARGE 2.0

th_smooth_def th_layout_choose(const th_ground *ground, const th_patches *patches, const th_patches_def *def) {
  const double size = (double)def->size, edge = (double)patches->mean_edge;
  const th_mesh_frames *frames = &ground->mesh->frames;
  if (def->one_face || edge > FINE * size) return (th_smooth_def){0};
  double area = 0.0;
  for (uint32_t n = 0; n < patches->open_faces; n++) {
    const th_face_frame *f = &frames->face[patches->face[n]];
    area += 0.5 * f->bx * f->cy;
  }
  bool torn = patches->count * TORN * TORN * size * size > area, large = area > LARGE * LARGE * size * size;
  return torn && large ? (th_smooth_def){SCALE * size, edge} : (th_smooth_def){0};
}

th_patches_def th_layout_patches_def(const th_patches_def *def) {
  th_patches_def smooth = *def;
  smooth.rim = 2.0 * def->rim;
  smooth.lean = fmin(def->lean, 0.707); /* 45 degrees: a smooth surface has no creases */
  return smooth;
}

void th_layout_free(th_layout *l) {
  if (!l->held) return;
  th_mesh_frames_free(&l->frames);
  TH_GIVE(&l->allocator, l->mesh.xyz, 3 * (size_t)l->mesh.vertex_count);
  l->held = false;
}

void th_layout_take(th_layout *l, th_layout *other) {
  th_layout_free(l);
  *l = *other;
  l->frames.mesh = &l->mesh;
  other->held = false;
}

static bool make(th_layout *l, const th_ground *ground) {
  l->mesh = ground->mesh->mesh;
  l->mesh.allocator = l->allocator;
  double *xyz = TH_TAKE(&l->allocator, double, 3 * (size_t)l->mesh.vertex_count);
  if (xyz && th_mesh_smooth(&l->mesh, &l->smooth, xyz)) {
    l->mesh.xyz = xyz;
    if (th_mesh_frames_make_faces(&l->frames, &l->mesh)) return true;
  }
  TH_GIVE(&l->allocator, xyz, 3 * (size_t)l->mesh.vertex_count);
  return false;
}

const th_mesh_frames *th_layout_frames(th_layout *l, const th_ground *ground) {
  if (l->smooth.scale == 0.0) return &ground->mesh->frames;
  if (!l->held || l->version != ground->version) {
    th_layout_free(l);
    l->held = make(l, ground);
    l->version = ground->version;
  }
  if (!l->held) return NULL;
  l->frames.walked = &ground->mesh->frames;
  l->frames.blocked = ground->mesh->frames.blocked;
  return &l->frames;
}
