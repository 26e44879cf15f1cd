/* base/bytes.h - writing and reading a block of bytes with its bounds checked. */
#ifndef TH_BASE_BYTES_H
#define TH_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Past the end of the memory it only counts and does not write, so that a first run gives the size. */
typedef struct th_byte_writer {
  uint8_t *memory;
  size_t size, used;
} th_byte_writer;

/* `broken` once a read went past the end; reads then give zeros. */
typedef struct th_byte_reader {
  const uint8_t *memory;
  size_t size, used;
  bool broken;
} th_byte_reader;

void th_bytes_write(th_byte_writer *writer, const void *data, size_t size);
void th_bytes_read(th_byte_reader *reader, void *data, size_t size);
const void *th_bytes_in_place(th_byte_reader *reader, size_t size); /* unaligned; NULL when broken */

#define TH_WRITE(writer, value) th_bytes_write((writer), &(value), sizeof(value))
#define TH_READ(reader, value) th_bytes_read((reader), &(value), sizeof(value))

#endif
