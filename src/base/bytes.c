/* base/bytes.c - the bounds of a block of bytes are checked here, so that no caller has to check them. */
#include "base/bytes.h"

#include <string.h>

void th_bytes_write(th_byte_writer *writer, const void *data, size_t size) {
  if (size && writer->memory && writer->used + size <= writer->size) memcpy(writer->memory + writer->used, data, size);
  writer->used += size;
}

const void *th_bytes_in_place(th_byte_reader *reader, size_t size) {
  if (reader->broken || size > reader->size - reader->used) {
    reader->broken = true;
    return NULL;
  }
  const void *data = reader->memory + reader->used;
  reader->used += size;
  return data;
}

void th_bytes_read(th_byte_reader *reader, void *data, size_t size) {
  const void *from = th_bytes_in_place(reader, size);
  if (!size) return;
  if (from)
    memcpy(data, from, size);
  else
    memset(data, 0, size);
}
