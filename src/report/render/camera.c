/* report/render/camera.c - the position of the camera and its map from points to pixels.
 *
 * Parallel projection keeps lengths, which studies need; perspective shows depth, which films need. Both give the same
 * data: a point has a pixel, a depth, and a key that is linear over a flat face on the page (minus the depth, or 1 /
 * depth), so that no other file distinguishes the two. The bounding box is taken over all projected vertices, so the
 * mesh fills its panel from any side. Cost: O(vertices) per panel.
 */
#include "base/trig.h"
#include "report/render/view.h"

th_camera th_default_camera(void) { return (th_camera){.kind = TH_CAMERA_AUTO, .zoom = 1.0}; }

static void axes_of(th_render_camera *eye) {
  static const double sky[3] = {0.0, 0.0, 1.0};
  double north[3] = {-eye->back[0], -eye->back[1], 0.0};
  if (th_unit3d(eye->back) == 0.0) eye->back[0] = 1.0;
  th_cross3d(sky, eye->back, eye->right);
  if (th_unit3d(eye->right) < 1e-9) { /* straight down or up: y is up on the page */
    if (th_unit3d(north) < 1e-12) north[1] = 1.0;
    th_cross3d(north, eye->back, eye->right);
    th_unit3d(eye->right);
  }
  th_cross3d(eye->back, eye->right, eye->up);
  for (int k = 0; k < 3; k++) eye->light[k] = -0.46 * eye->right[k] + 0.62 * eye->up[k] + 0.64 * eye->back[k];
  th_unit3d(eye->light);
}

static void stand(const th_render_mesh *drawn, const th_camera *camera, th_render_camera *eye) {
  const double degree = TH_DEGREE;
  double height = camera->elevation * degree, turn = camera->azimuth * degree;
  *eye = (th_render_camera){.lens = camera->lens > 0.0, .scale = 1.0, .hidden = camera->hidden_face};
  if (camera->kind == TH_CAMERA_POSITION) {
    double stretch = drawn->def->stretch;
    eye->lens = true;
    for (int k = 0; k < 3; k++) {
      double up = k == 2 ? stretch : 1.0;
      double from = (double)(&camera->eye.x)[k] * up, to = (double)(&camera->target.x)[k] * up;
      eye->at[k] = from;
      eye->back[k] = from - to;
    }
    axes_of(eye);
    return;
  }
  eye->back[0] = cos(height) * cos(turn), eye->back[1] = cos(height) * sin(turn), eye->back[2] = sin(height);
  axes_of(eye);
  /* far enough for the ball around the mesh */
  double away = eye->lens ? 0.5 * drawn->size / sin(0.5 * camera->lens * degree) : 0.0;
  for (int k = 0; k < 3; k++) eye->at[k] = drawn->middle[k] + away * eye->back[k];
}

static void widen(th_render_camera *eye, const double point[3]) {
  th_render_point spot;
  if (!th_render_camera_see(eye, point, &spot)) return;
  eye->box[0] = fmin(eye->box[0], spot.x), eye->box[1] = fmax(eye->box[1], spot.x);
  eye->box[2] = fmin(eye->box[2], -spot.y), eye->box[3] = fmax(eye->box[3], -spot.y);
}

/* Heads stick out of the mesh. */
static void measure_agents(const th_render_mesh *drawn, th_render_camera *eye) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  for (uint32_t a = 0; agents->shape != TH_BODY_DISC && a < agents->count; a++) {
    double point[3], up[3] = {0.0, 0.0, 1.0};
    if (eye->hidden && eye->hidden[agents->face[a]]) continue;
    th_render_agent_point(drawn, a, point);
    if (!agents->plumb) th_render_face_normal(drawn, agents->face[a], up);
    for (int k = 0; k < 3; k++) point[k] += (double)agents->height * up[k];
    widen(eye, point);
  }
}

/* Measures the mesh as if an agent stood on every vertex. */
static void measure_anyone(const th_render_mesh *drawn, th_render_camera *eye) {
  const th_mesh_figure_bodies *agents = &drawn->def->agents;
  for (uint32_t f = 0; agents->shape != TH_BODY_DISC && f < drawn->faces; f++) {
    double up[3] = {0.0, 0.0, 1.0};
    if ((eye->hidden && eye->hidden[f]) || (drawn->def->blocked && drawn->def->blocked[f])) continue;
    if (!agents->plumb) th_render_face_normal(drawn, f, up);
    for (uint32_t n = 0; n < 3; n++) {
      const double *p = drawn->xyz + 3 * (size_t)drawn->def->mesh->corner[3 * f + n];
      double head[3];
      for (int k = 0; k < 3; k++) head[k] = p[k] + (double)agents->height * up[k];
      widen(eye, head);
    }
  }
}

static void measure(const th_render_mesh *drawn, th_render_camera *eye) {
  eye->box[0] = eye->box[2] = INFINITY, eye->box[1] = eye->box[3] = -INFINITY;
  for (uint32_t h = 0; h < 3 * drawn->faces; h++) {
    if (eye->hidden && eye->hidden[h / 3]) continue;
    widen(eye, drawn->xyz + 3 * (size_t)drawn->def->mesh->corner[h]);
  }
  if (drawn->everywhere)
    measure_anyone(drawn, eye);
  else
    measure_agents(drawn, eye);
  double min = 1e-6 * drawn->size;
  if (!(eye->box[1] - eye->box[0] > min)) eye->box[0] = -min, eye->box[1] = min;
  if (!(eye->box[3] - eye->box[2] > min)) eye->box[2] = -min, eye->box[3] = min;
}

void th_render_camera_aim(const th_render_mesh *drawn, const th_camera *camera, th_render_camera *eye) {
  stand(drawn, camera, eye);
  eye->nearest = 1e-4 * drawn->size;
  eye->cull = drawn->def->cut_away || (drawn->closed && !eye->hidden && camera->kind != TH_CAMERA_POSITION);
  if (camera->kind == TH_CAMERA_POSITION) {
    double half = tan(0.5 * camera->lens * TH_DEGREE) / camera->zoom;
    eye->box[0] = -1.6 * half, eye->box[1] = 1.6 * half, eye->box[2] = -half, eye->box[3] = half;
    return;
  }
  measure(drawn, eye);
  for (int k = 0; k < 4; k += 2) { /* zoom shows the middle part of the box */
    double middle = 0.5 * (eye->box[k] + eye->box[k + 1]), half = 0.5 * (eye->box[k + 1] - eye->box[k]);
    eye->box[k] = middle - half / camera->zoom, eye->box[k + 1] = middle + half / camera->zoom;
  }
}

double th_render_camera_fit(const th_render_camera *eye, double width, double height) {
  return fmin(width / (eye->box[1] - eye->box[0]), height / (eye->box[3] - eye->box[2]));
}

void th_render_camera_place(th_render_camera *eye, double scale, double width, double height) {
  eye->scale = scale;
  eye->x = 0.5 * width - 0.5 * scale * (eye->box[0] + eye->box[1]);
  eye->y = 0.5 * height + 0.5 * scale * (eye->box[2] + eye->box[3]);
}

bool th_render_camera_see(const th_render_camera *eye, const double point[3], th_render_point *spot) {
  double d[3] = {point[0] - eye->at[0], point[1] - eye->at[1], point[2] - eye->at[2]};
  double depth = -th_dot3d(d, eye->back), scale = eye->scale;
  *spot = (th_render_point){.depth = depth, .key = -depth, .weight = 1.0};
  if (eye->lens) {
    if (!(depth >= eye->nearest)) return false;
    spot->key = spot->weight = 1.0 / depth;
    scale *= spot->weight;
  }
  spot->x = eye->x + scale * th_dot3d(d, eye->right);
  spot->y = eye->y - scale * th_dot3d(d, eye->up);
  return true;
}

void th_render_camera_ray(const th_render_camera *eye, const double point[3], double ray[3]) {
  for (int k = 0; k < 3; k++) ray[k] = eye->lens ? eye->at[k] - point[k] : eye->back[k];
  if (eye->lens) th_unit3d(ray);
}

double th_render_camera_metre(const th_render_camera *eye, double depth) {
  return eye->lens ? eye->scale / depth : eye->scale;
}
