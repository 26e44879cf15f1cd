/* io/recording/csv_write.c - tracks as comma-separated values, frame by frame.
 *
 * The file has what a spreadsheet needs and nothing else: comment lines with the metadata, one header line, one line
 * per agent and frame. Numbers have as many digits as are needed to read the same bits back. Frames are collected by
 * counting, so the cost is O(samples).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/file.h"
#include "io/recording/recording.h"
#include "io/recording/tracks.h"
#include "io/text.h"

static void put_comment(FILE *out, const char *key, const char *text) {
  fprintf(out, "# %s: ", key);
  for (; *text; text++) fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
  fputc('\n', out);
}

static bool has_names(const th_tracks *tracks) {
  return tracks->population_count || tracks->model_count || tracks->goal_count;
}

/* Quoted when it must be (RFC 4180); a line is one row, so the end of a line becomes a space. */
static void put_name(FILE *out, const th_recorded_name *name, uint32_t count, uint32_t index) {
  const char *text = index < count ? name[index].text : "";
  bool quoted = strpbrk(text, ",\"\r\n") != NULL;
  fputs(quoted ? ",\"" : ",", out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
  }
  if (quoted) fputc('"', out);
}

static th_result put_head(FILE *out, const th_tracks *tracks, th_error *error) {
  char number[TH_NUMBER_ROOM];
  put_comment(out, "throng", "1");
  put_comment(out, "fps", th_number_of_double(number, tracks->fps));
  if (tracks->name[0]) put_comment(out, "name", tracks->name);
  snprintf(number, sizeof number, "%llu", (unsigned long long)tracks->seed);
  put_comment(out, "seed", number);
  snprintf(number, sizeof number, "%u to %u", tracks->frame_first, tracks->frame_last);
  put_comment(out, "frames", number);
  if (tracks->every) {
    put_comment(out, "dt", th_number_of_double(number, tracks->dt));
    snprintf(number, sizeof number, "%u", tracks->every);
    put_comment(out, "every", number);
  }
  for (uint32_t k = 0; k < tracks->plan_count; k++) {
    char *wkt = NULL, key[32];
    th_result result = th_floor_plan_wkt(&tracks->plan[k], &wkt, error);
    if (result != TH_OK) return result;
    snprintf(key, sizeof key, "ground from %u", tracks->plan_frame[k]);
    put_comment(out, key, wkt);
    th_text_free(wkt);
  }
  fputs("frame,time,id,x,y,vx,vy,heading,radius,narrowed,gait,state", out);
  if (tracks->z) fputs(",z,vz,face,weight_1,weight_2,head_x,head_y,head_z", out);
  fputs(has_names(tracks) ? ",population,model,goal\n" : "\n", out);
  return TH_OK;
}

static void put_space(FILE *out, const th_tracks *tracks, uint32_t i) {
  char number[TH_NUMBER_ROOM];
  const float value[5] = {tracks->weights[i].x, tracks->weights[i].y, tracks->head[i].x, tracks->head[i].y,
                          tracks->head[i].z};
  fprintf(out, ",%s", th_number_of_float(number, tracks->z[i]));
  fprintf(out, ",%s,%u", th_number_of_float(number, tracks->vz[i]), tracks->face[i]);
  for (int k = 0; k < 5; k++) fprintf(out, ",%s", th_number_of_float(number, value[k]));
}

static void put_sample(FILE *out, const th_tracks *tracks, const th_track *track, uint32_t i) {
  char number[TH_NUMBER_ROOM];
  const float narrowed = tracks->narrowed ? tracks->narrowed[i] : 0.0f;
  const float value[7] = {tracks->x[i],       tracks->y[i],  tracks->vx[i], tracks->vy[i],
                          tracks->heading[i], track->radius, narrowed};
  fprintf(out, "%u,%s,%lld", tracks->frame[i], th_number_of_double(number, (double)tracks->frame[i] / tracks->fps),
          (long long)track->id);
  for (int k = 0; k < 7; k++) fprintf(out, ",%s", th_number_of_float(number, value[k]));
  fprintf(out, ",%u,%u", tracks->gait[i], tracks->state[i]);
  if (tracks->z) put_space(out, tracks, i);
  if (has_names(tracks)) {
    put_name(out, tracks->population, tracks->population_count, track->population);
    put_name(out, tracks->model, tracks->model_count, track->model);
    put_name(out, tracks->goal, tracks->goal_count, track->goal);
  }
  fputc('\n', out);
}

/* `next` is the next sample of each track that has not been written. */
static void put_samples(FILE *out, const th_tracks *tracks, uint32_t *next) {
  for (uint32_t frame = tracks->frame_first; tracks->sample_count; frame++) {
    for (uint32_t t = 0; t < tracks->track_count; t++) {
      const th_track *track = &tracks->track[t];
      if (next[t] >= track->count || tracks->frame[track->first + next[t]] != frame) continue;
      put_sample(out, tracks, track, track->first + next[t]++);
    }
    if (frame == tracks->frame_last) break;
  }
}

typedef th_result (*put_file)(FILE *out, const th_tracks *tracks, th_error *error);

/* Writes path.part and gives it its name. */
static th_result write_file(const th_tracks *tracks, const char *path, put_file put_all, th_error *error) {
  char part[TH_PATH_ROOM];
  th_result result = th_file_check(path, error);
  if (result != TH_OK) return result;
  (void)th_file_path_join(part, path, ".part");
  FILE *out = th_file_fresh(part);
  if (!out) return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  result = put_all(out, tracks, error);
  bool good = !ferror(out);
  good = fclose(out) == 0 && good;
  if (result == TH_OK && (!good || !th_file_rename(part, path)))
    result = th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  if (result != TH_OK) th_file_remove(part);
  return result;
}

static th_result put_tracks(FILE *out, const th_tracks *tracks, th_error *error) {
  th_env env = th_env_complete(&tracks->env);
  uint32_t *next = TH_TAKE(&env.allocator, uint32_t, tracks->track_count);
  if (!next) return th_fail_memory(error, "CSV");
  th_result result = put_head(out, tracks, error);
  if (result == TH_OK) put_samples(out, tracks, next);
  TH_GIVE(&env.allocator, next, tracks->track_count);
  return result;
}

th_result th_csv_write(const th_tracks *tracks, const char *path, th_error *error) {
  return write_file(tracks, path, put_tracks, error);
}

/* ---------------------------------------------------------------- traces */

static void put_trace(FILE *out, const th_tracks *tracks, const th_recorded_trace *item) {
  const th_recorded_trace_row *row = &tracks->trace_row[item->row];
  const th_vec3 vector[4] = {item->at, item->a, item->b, item->c};
  char number[TH_NUMBER_ROOM];
  fprintf(out, "%u,%s,%lld,%s,%s,%s,%s,%llu", item->frame, th_number_of_double(number, item->frame / tracks->fps),
          (long long)item->id, row->source, row->name, th_trace_type_name[row->type], row->unit,
          (unsigned long long)item->step);
  for (int k = 0; k < 4; k++) {
    fprintf(out, ",%s", th_number_of_float(number, vector[k].x));
    fprintf(out, ",%s", th_number_of_float(number, vector[k].y));
    fprintf(out, ",%s", th_number_of_float(number, vector[k].z));
  }
  fprintf(out, ",%s,%u,%u,", th_number_of_float(number, item->value), item->columns, item->rows);
  for (uint32_t k = 0; k < item->columns * item->rows; k++)
    fprintf(out, "%s%s", k ? " " : "", th_number_of_float(number, tracks->trace_value[item->first + k]));
  fputc('\n', out);
}

static th_result put_traces(FILE *out, const th_tracks *tracks, th_error *error) {
  (void)error;
  fputs(
      "frame,time,id,source,name,type,unit,step,at_x,at_y,at_z,a_x,a_y,a_z,b_x,b_y,b_z,c_x,c_y,c_z,value,columns,rows,"
      "raster\n",
      out);
  for (uint32_t k = 0; k < tracks->trace_count; k++) put_trace(out, tracks, &tracks->trace[k]);
  return TH_OK;
}

th_result th_csv_write_traces(const th_tracks *tracks, const char *path, th_error *error) {
  return write_file(tracks, path, put_traces, error);
}
