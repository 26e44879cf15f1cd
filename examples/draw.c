/* draw.c - draws a world by callbacks that write SVG, seen from above. */
#include <stdio.h>
#include <throng/throng.h>

static void line(void *file, uint32_t part, th_vec3 a, th_vec3 b) {
  fprintf(file, "<path d='M%g %gL%g %g' stroke='#%06x'/>\n", a.x, -a.y, b.x, -b.y, th_draw_colour(part));
}

static void disc(void *file, uint32_t part, th_vec3 c, th_vec3 normal, float radius) {
  (void)normal; /* flat ground lies level */
  fprintf(file, "<circle cx='%g' cy='%g' r='%g' stroke='#%06x'/>\n", c.x, -c.y, radius, th_draw_colour(part));
}

static void triangle(void *file, uint32_t part, const th_vec3 *c) {
  fprintf(file, "<path d='M%g %gL%g %gL%g %gz' fill='#%06x'/>\n", c[0].x, -c[0].y, c[1].x, -c[1].y, c[2].x, -c[2].y,
          th_draw_colour(part));
}

static void text(void *file, uint32_t part, th_vec3 at, const char *words) {
  fprintf(file, "<text x='%g' y='%g' font-size='.3' fill='#%06x'>%s</text>\n", at.x, -at.y, th_draw_colour(part),
          words);
}

int main(int count, char **argument) {
  const th_polygon hall = {.point = (th_vec2[]){{0, 0}, {20, 0}, {20, 10}, {0, 10}}, .count = 4};
  const th_polygon pillar = {.point = (th_vec2[]){{9, 4}, {11, 4}, {11, 6}, {9, 6}}, .count = 4};
  th_flat_def flat = th_default_flat_def();
  flat.outline = &hall, flat.outline_count = 1, flat.obstacle = &pillar, flat.obstacle_count = 1;
  th_goal_def door = th_default_goal_def();
  door.shape = th_point_shape(19, 5);
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  th_error error;
  th_goal_id exit;
  if (th_ground_make_flat(&flat, &def.ground, &error) || th_world_make(&def, &world, &error) ||
      th_world_add_goal(world, &door, &exit, &error))
    return fprintf(stderr, "%s: %s\n", error.where, error.text), 1;
  for (int k = 0; k < 12; k++) {
    th_agent_def someone = th_default_agent_def();
    someone.point.x = 2.0f + (float)(k % 4), someone.point.y = 4.0f + (float)(k / 4), someone.model = &th_model_orca;
    someone.route[0].goal = exit, someone.route_count = 1;
    if (th_world_add_agents(world, &someone, 1, NULL, &error)) return fprintf(stderr, "%s\n", error.text), 1;
  }
  for (int k = 0; k < 40; k++) th_world_step(world);
  FILE *file = count > 1 ? fopen(argument[1], "w") : stdout;
  if (!file) return perror(argument[1]), 1;
  fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-1 -11 22 12' fill='none' stroke-width='.03'>\n");
  th_draw draw = th_default_draw();
  draw.line = line, draw.disc = disc, draw.triangle = triangle, draw.text = text, draw.user = file;
  th_world_draw(world, &draw);
  fprintf(file, "</svg>\n");
  if (file != stdout) fclose(file);
  th_world_free(world), th_ground_release(def.ground);
}
