/* report/figure/mesh_recording.c - a recording of mesh ground as a figure of its surface.
 *
 * The mesh that was valid at the time of the figure is shown with trails, bodies and spots of the recording. A surface
 * that mostly faces upwards (terrain, houses) is shown from one side and bodies stand vertically; a closed surface
 * (planets, statues) gets a second view from behind and bodies stand along its normals. The length of the summed
 * area-weighted normals divided by the whole area decides: 1 for a plane, 0 for a closed surface. Where the walkable
 * side faces inwards (the volume below the faces is negative: the inside of a tube), faces seen from behind are left
 * out. Density is the mean number of agents on a vertex' share of the surface, divided by the area of that share. Cost:
 * O(samples + faces), and that of the picture.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/render/mark.h"
#include "report/render/view.h"

#define FACES_UP 0.5
#define FACES_ONE_WAY 0.25
#define MAX_TRAILS 4000
#define MAX_UPRIGHT 2000 /* more agents are drawn as discs on the surface */
enum { COLOURS = 8, MAX_TIMES = 2000 };

typedef struct shown {
  const th_figure_def *def;
  const th_tracks_mesh *mesh;
  th_mesh_figure_def figure;
  th_camera camera[2];
  th_allocator allocator;
  th_vec3 *point, *body, *head; /* of trails; of bodies */
  th_mesh_figure_line *line;
  uint32_t *face, *kind;
  const char **kind_name, **terrain_name;              /* kinds: of populations */
  float *radius, *narrowed, *speed, *density, *number; /* number: of each point of the trails */
  const float **numbers;                               /* of each trail */
  th_mesh_figure_mark *mark;
  th_vec3 *trace;   /* two points for each item that is shown */
  char (*text)[16]; /* of time marks */
  uint32_t points, tracks, traces, used, times;
  double time, width; /* of the surface [m] */
} shown;

/* Of the sum of all normals by their area: the part that looks up, and its length (0: the surface closes on itself). */
static double looks_up(const th_mesh *mesh, bool *inwards, double *one_way) {
  double sum[3] = {0, 0, 0}, all = 0, volume = 0, middle[3] = {0, 0, 0};
  for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; k++) middle[k % 3] += mesh->xyz[k] / mesh->vertex_count;
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    const double *a = mesh->xyz + 3 * (size_t)mesh->corner[3 * (size_t)f],
                 *b = mesh->xyz + 3 * (size_t)mesh->corner[3 * (size_t)f + 1],
                 *c = mesh->xyz + 3 * (size_t)mesh->corner[3 * (size_t)f + 2];
    double n[3], size = 0;
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
      sum[k] += n[k];
      volume += n[k] * (a[k] - middle[k]) / 6.0;
      size += n[k] * n[k];
    }
    all += sqrt(size);
  }
  *inwards = volume < 0;
  *one_way = all > 0 ? sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / all : 1.0;
  return all > 0 ? fmax(0.0, sum[2]) / all : 1.0;
}

static bool take(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  const th_allocator *a = &s->allocator;
  s->points = tracks->sample_count;
  s->tracks = tracks->track_count;
  s->point = TH_TAKE(a, th_vec3, s->points);
  s->body = TH_TAKE(a, th_vec3, s->tracks);
  s->head = TH_TAKE(a, th_vec3, s->tracks);
  s->traces = s->def->traces ? tracks->trace_count : 0;
  s->trace = TH_TAKE(a, th_vec3, 2 * (size_t)s->traces);
  s->line = TH_TAKE(a, th_mesh_figure_line, s->tracks + (size_t)s->traces);
  s->face = TH_TAKE(a, uint32_t, s->tracks);
  s->kind = TH_TAKE(a, uint32_t, s->tracks);
  s->kind_name = TH_TAKE(a, const char *, tracks->population_count);
  s->terrain_name = TH_TAKE(a, const char *, tracks->terrain_count);
  s->radius = TH_TAKE(a, float, s->tracks);
  s->narrowed = TH_TAKE(a, float, s->tracks);
  s->speed = TH_TAKE(a, float, s->tracks);
  s->mark = TH_TAKE(a, th_mesh_figure_mark, tracks->spot_count + (size_t)MAX_TIMES);
  s->text = th_take(a, MAX_TIMES, sizeof *s->text);
  s->density = TH_TAKE(a, float, s->mesh->mesh.vertex_count);
  s->number = TH_TAKE(a, float, s->points);
  s->numbers = TH_TAKE(a, const float *, s->tracks + (size_t)s->traces);
  return s->trace && s->text && s->point && s->number && s->numbers && s->body && s->head && s->line && s->face &&
         s->kind && s->kind_name && s->terrain_name && s->radius && s->narrowed && s->speed && s->mark && s->density;
}

static void give(shown *s) {
  const th_allocator *a = &s->allocator;
  TH_GIVE(a, s->point, s->points);
  TH_GIVE(a, s->body, s->tracks);
  TH_GIVE(a, s->head, s->tracks);
  TH_GIVE(a, s->trace, 2 * (size_t)s->traces);
  TH_GIVE(a, s->line, s->tracks + (size_t)s->traces);
  TH_GIVE(a, s->face, s->tracks);
  TH_GIVE(a, s->kind, s->tracks);
  TH_GIVE(a, s->kind_name, s->def->tracks->population_count);
  TH_GIVE(a, s->terrain_name, s->def->tracks->terrain_count);
  TH_GIVE(a, s->radius, s->tracks);
  TH_GIVE(a, s->narrowed, s->tracks);
  TH_GIVE(a, s->speed, s->tracks);
  TH_GIVE(a, s->mark, s->def->tracks->spot_count + (size_t)MAX_TIMES);
  th_give(a, s->text, MAX_TIMES, sizeof *s->text);
  TH_GIVE(a, s->density, s->mesh->mesh.vertex_count);
  TH_GIVE(a, s->number, s->points);
  TH_GIVE(a, s->numbers, s->tracks + (size_t)s->traces);
}

static float speed_at(const th_tracks *t, uint32_t i) {
  return sqrtf(t->vx[i] * t->vx[i] + t->vy[i] * t->vy[i] + t->vz[i] * t->vz[i]);
}

/* The number that colours a path, as on plans. */
static float number_at(const shown *s, uint32_t i) {
  const th_tracks *tracks = s->def->tracks;
  return s->def->colour == TH_COLOUR_SPEED ? speed_at(tracks, i) : (float)(tracks->frame[i] / tracks->fps);
}

/* One scale for all frames, up to mean + 3 deviations: a single agent that was pushed must not darken all others. */
static double speed_max(const th_tracks *t) {
  double sum = 0.0, squares = 0.0, max = 0.0;
  for (uint32_t i = 0; i < t->sample_count; i++) {
    double vx = (double)t->vx[i], vy = (double)t->vy[i], vz = (double)t->vz[i], v2 = vx * vx + vy * vy + vz * vz;
    sum += sqrt(v2), squares += v2;
    max = fmax(max, sqrt(v2));
  }
  double mean = sum / t->sample_count;
  max = fmin(max, mean + 3.0 * sqrt(fmax(squares / t->sample_count - mean * mean, 0.0)));
  return max > 0.0 ? max : 1.0;
}

/* Colours that stay the same along a path: of agents, or of their populations. */
static uint32_t kind_of(const shown *s, uint32_t track) {
  const th_tracks *tracks = s->def->tracks;
  if (s->def->colour != TH_COLOUR_POPULATION) return track % COLOURS;
  const uint32_t population = tracks->track[track].population;
  return population < tracks->population_count ? population : tracks->population_count;
}

static void colour_by_kind(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  th_mesh_figure_bodies *agents = &s->figure.agents;
  if (!th_figure_colour_stays(s->def)) return;
  agents->kind = s->kind;
  agents->kind_count = COLOURS;
  if (s->def->colour != TH_COLOUR_POPULATION) return;
  for (uint32_t p = 0; p < tracks->population_count; p++) s->kind_name[p] = tracks->population[p].text;
  agents->kind_name = s->kind_name;
  agents->kind_count = tracks->population_count;
}

/* Paths of all agents up to the time of the figure, or of their last seconds; of very many agents every n-th. */
static void add_trails(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  double last = s->time * tracks->fps + 1e-6,
         first = s->def->trail > 0 ? (s->time - s->def->trail) * tracks->fps : -INFINITY;
  uint32_t count = 0, every = tracks->track_count / MAX_TRAILS + 1;
  for (uint32_t t = 0; t < tracks->track_count; t += every) {
    const th_track *track = &tracks->track[t];
    uint32_t n = 0;
    th_vec3 *point = s->point + track->first;
    for (uint32_t i = track->first; i < track->first + track->count; i++) {
      if (!(tracks->frame[i] >= first && tracks->frame[i] <= last)) continue;
      s->number[track->first + n] = number_at(s, i);
      point[n++] = (th_vec3){tracks->x[i], tracks->y[i], tracks->z[i]};
    }
    s->numbers[count] = s->number + track->first;
    if (n > 1) s->line[count++] = (th_mesh_figure_line){TH_MESH_FIGURE_TRAIL, point, n, s->kind[t]};
  }
  s->figure.line = s->line;
  s->figure.line_count = count;
  colour_by_kind(s);
  th_scale scale = th_paths_scale(s->def);
  bool fades = s->def->trail > 0 && s->def->colour == TH_COLOUR_TIME; /* the last seconds are all of one colour */
  if (!scale.label || fades) return;
  s->figure.line_value = s->numbers;
  s->figure.line_label = scale.label;
  s->figure.line_min = (float)scale.min;
  s->figure.line_max = s->def->colour == TH_COLOUR_SPEED ? (float)speed_max(tracks) : (float)scale.max;
}

/* Vectors and segments of a traced agent at a frame; other types need a plane to be drawn in. */
static void add_moment(shown *s, int64_t id, uint32_t frame) {
  const th_tracks *tracks = s->def->tracks;
  const uint32_t first = th_trace_find(tracks, id, frame);
  for (uint32_t k = first; k < tracks->trace_count && s->used < s->traces; k++) {
    const th_recorded_trace *item = &tracks->trace[k];
    if (item->id != id || item->frame != tracks->trace[first].frame) break;
    const th_recorded_trace_row *row = &tracks->trace_row[item->row];
    const bool vector = row->type == TH_TRACE_VECTOR;
    if ((!vector && row->type != TH_TRACE_SEGMENT) || !th_trace_shown(s->def->traces, row)) continue;
    th_vec3 *p = s->trace + 2 * (size_t)s->used++;
    p[0] = vector ? item->at : item->a;
    p[1] = vector ? (th_vec3){item->at.x + item->a.x, item->at.y + item->a.y, item->at.z + item->a.z} : item->b;
    s->line[s->figure.line_count++] =
        (th_mesh_figure_line){TH_MESH_FIGURE_TRACE, p, 2, row->colour ? row->colour : 0xd55e00};
  }
}

/* Those of everybody at the moment of the picture. */
static void add_traces(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  const uint32_t frame = (uint32_t)fmax(0.0, round(s->time * tracks->fps));
  s->figure.line = s->line;
  for (uint32_t t = 0; t < tracks->track_count; t++)
    if (th_tracks_find(tracks, &tracks->track[t], frame) != UINT32_MAX) add_moment(s, tracks->track[t].id, frame);
}

/* True when the agent has moved by a hundredth of the surface's width since sample `last`; an agent that stands gets
 * one mark. */
static bool moved(const shown *s, uint32_t last, uint32_t i) {
  const th_tracks *t = s->def->tracks;
  if (last == UINT32_MAX) return true;
  const double x = (double)t->x[i] - (double)t->x[last], y = (double)t->y[i] - (double)t->y[last],
               z = (double)t->z[i] - (double)t->z[last];
  return sqrt(x * x + y * y + z * z) > 0.01 * s->width;
}

/* Time marks on the paths, with the traces of these moments, as on plans; names only where paths are few. */
static void add_times(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  s->figure.line = s->line;
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    const th_track *track = &tracks->track[t];
    const double begin = track->count ? tracks->frame[track->first] / tracks->fps : INFINITY;
    uint32_t last = UINT32_MAX;
    for (double at = ceil(begin / s->def->marks - 1e-9) * s->def->marks; at <= s->time && s->times < MAX_TIMES;
         at += s->def->marks) {
      const uint32_t frame = (uint32_t)floor(at * tracks->fps + 1e-6), i = th_tracks_find(tracks, track, frame);
      if (i == UINT32_MAX || !moved(s, last, i)) continue;
      last = i;
      if (s->def->traces) add_moment(s, track->id, frame);
      char *text = s->text[s->times++];
      snprintf(text, sizeof s->text[0], "%g", at + 0.0);
      s->mark[s->figure.mark_count++] = (th_mesh_figure_mark){.kind = "time",
                                                              .name = tracks->track_count <= 12 ? text : NULL,
                                                              .face = tracks->face[i],
                                                              .point = {tracks->x[i], tracks->y[i], tracks->z[i]},
                                                              .radius = (float)(0.002 * s->width)};
    }
  }
}

static void add_bodies(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  th_mesh_figure_bodies *agents = &s->figure.agents;
  uint32_t frame = (uint32_t)fmax(0.0, round(s->time * tracks->fps)), n = 0;
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    uint32_t i = th_tracks_find(tracks, &tracks->track[t], frame);
    if (i == UINT32_MAX) continue;
    s->face[n] = tracks->face[i];
    s->body[n] = (th_vec3){tracks->x[i], tracks->y[i], tracks->z[i]};
    s->head[n] = tracks->head[i];
    s->radius[n] = tracks->track[t].radius;
    s->narrowed[n] = tracks->narrowed ? tracks->narrowed[i] : 0.0f;
    s->speed[n] = speed_at(tracks, i);
    s->kind[n++] = kind_of(s, t); /* entries up to n have been read */
  }
  agents->count = n;
  agents->shape = n <= MAX_UPRIGHT ? TH_BODY_UPRIGHT : TH_BODY_AUTO;
  agents->face = s->face;
  agents->point = s->body;
  agents->heading = s->head;
  agents->radius = s->radius;
  agents->narrowed = s->narrowed;
  colour_by_kind(s);
  if (!th_figure_colour_stays(s->def)) {
    agents->value = s->speed;
    agents->label = "speed [m/s]";
    agents->min = 0;
    agents->max = s->figure.line_value && s->def->colour == TH_COLOUR_SPEED ? s->figure.line_max : NAN; /* one bar */
  }
}

/* share of a vertex: a third of the faces around it */
static void add_density(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  const th_mesh *mesh = &s->mesh->mesh;
  double frames = (double)tracks->frame_last - (double)tracks->frame_first + 1.0;
  for (uint32_t i = 0; i < tracks->sample_count; i++) {
    const uint32_t *corner = mesh->corner + 3 * (size_t)tracks->face[i];
    s->density[corner[0]] += tracks->weights[i].x;
    s->density[corner[1]] += tracks->weights[i].y;
    s->density[corner[2]] += tracks->weights[i].z;
  }
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    double area = 0;
    for (uint32_t first = mesh->leaving[v], h = first; h != TH_NO_HALF;) {
      uint32_t f = h / 3, back = 3 * f + (h + 2) % 3;
      const double *a = mesh->xyz + 3 * (size_t)v, *b = mesh->xyz + 3 * (size_t)mesh->corner[3 * f + (h + 1) % 3],
                   *c = mesh->xyz + 3 * (size_t)mesh->corner[back];
      double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
      area += hypot(hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2]), u[0] * w[1] - u[1] * w[0]) / 6.0;
      h = mesh->twin[back];
      if (h == first) break;
    }
    s->density[v] = area > 0 ? (float)fmax(0.0, (double)s->density[v] / frames / area) : 0.0f;
  }
  s->figure.value = (th_mesh_figure_value){
      .vertex = s->density, .label = "density [1/m\xC2\xB2]", .min = 0, .max = NAN, .middle = NAN};
}

static void add_spots(shown *s) {
  const th_tracks *tracks = s->def->tracks;
  for (uint32_t k = 0; k < tracks->spot_count; k++) {
    const th_mesh_mark *spot = &tracks->spot[k];
    s->mark[k] = th_mesh_figure_mark_of(spot);
  }
  s->figure.mark = s->mark;
  s->figure.mark_count = tracks->spot_count;
}

static void set_look(shown *s) {
  const th_figure_def *def = s->def;
  s->figure = def->mesh ? *def->mesh : th_default_mesh_figure_def();
  s->figure.env = def->env;
  s->figure.width = def->width;
  s->figure.title = def->title;
  s->figure.note = def->note;
  s->figure.legend = def->legend;
  s->figure.mesh = &s->mesh->mesh;
  s->figure.blocked = s->mesh->blocked;
  s->figure.terrain_of = def->tracks->terrain_of;
  s->figure.terrain_name = s->terrain_name;
  s->figure.terrain_count = def->tracks->terrain_count;
  for (uint32_t k = 0; k < def->tracks->terrain_count; k++) s->terrain_name[k] = def->tracks->terrain[k].text;
  th_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (uint32_t v = 0; v < s->mesh->mesh.vertex_count; v++) {
    const double *q = s->mesh->mesh.xyz + 3 * (size_t)v;
    low = (th_vec3){fminf(low.x, (float)q[0]), fminf(low.y, (float)q[1]), fminf(low.z, (float)q[2])};
    high = (th_vec3){fmaxf(high.x, (float)q[0]), fmaxf(high.y, (float)q[1]), fmaxf(high.z, (float)q[2])};
  }
  s->width = fmax(fmax((double)(high.x - low.x), (double)(high.y - low.y)), (double)(high.z - low.z));
  double one_way;
  bool inwards, up = looks_up(&s->mesh->mesh, &inwards, &one_way) > FACES_UP;
  if (!up && inwards) s->figure.cut_away = true;
  s->figure.agents.plumb = up;
  if (s->figure.camera) return;
  s->camera[0] = s->camera[1] = th_default_camera();
  s->camera[1].kind = TH_CAMERA_BEHIND;
  s->figure.camera = s->camera;
  s->figure.camera_count = one_way > FACES_ONE_WAY ? 1 : 2; /* from behind an open surface shows nothing */
}

/* Prepares all that is shown for drawing; false when out of memory. */
static bool open_shown(shown *s, const th_figure_def *def) {
  const th_tracks *tracks = def->tracks;
  *s = (shown){.def = def, .allocator = th_env_complete(&def->env).allocator};
  s->time = isnan(def->time) ? th_figure_end(def) : def->time;
  s->mesh = th_tracks_mesh_at(tracks, (uint32_t)fmax(0.0, s->time * tracks->fps));
  if (!take(s)) return false;
  set_look(s);
  add_spots(s);
  for (uint32_t t = 0; t < tracks->track_count; t++) s->kind[t] = kind_of(s, t);
  if (def->density) add_density(s);
  if (def->paths) add_trails(s);
  const bool along = def->marks > 0.0 && def->paths && !def->bodies;
  if (along) add_times(s);
  if (def->traces && !along) add_traces(s);
  if (def->bodies) add_bodies(s);
  return true;
}

th_result th_figure_write_mesh(const th_figure_def *def, const char *path, th_error *error) {
  shown s;
  bool good = open_shown(&s, def);
  th_result result = good ? th_mesh_figure_write(&s.figure, path, error) : th_fail_memory(error, path);
  give(&s);
  return result;
}

th_result th_figure_draw_mesh(const th_figure_def *def, struct th_render_cache *cache, cairo_surface_t *page,
                              th_error *error) {
  shown s;
  bool good = open_shown(&s, def);
  if (good && s.figure.agents.value) s.figure.agents.max = (float)speed_max(def->tracks);
  th_result result = good ? th_mesh_figure_draw(&s.figure, cache, page, error) : th_fail_memory(error, "film");
  give(&s);
  return result;
}
