/* ground/edit_record.h - an edit as one block of words: to keep, compare, hash, save and restore it. */
#ifndef TH_GROUND_EDIT_RECORD_H
#define TH_GROUND_EDIT_RECORD_H

#include "throng/ground.h"

/* Words that an edit needs; written to `word` when it is not NULL. */
uint32_t th_edit_write(const th_edit *edit, uint32_t *word);

/* The edit of such a block; it points into the block, and to `region` when it has one. False: the block is broken. */
bool th_edit_read(const uint32_t *word, uint32_t count, th_edit *edit, th_region *region);

#endif
