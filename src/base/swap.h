/* base/swap.h - two variables of one type exchange what they hold.
 *
 * What is restored is made beside what is there and exchanged for it at the end, when nothing can fail any more.
 */
#ifndef TH_BASE_SWAP_H
#define TH_BASE_SWAP_H

#define TH_SWAP(type, a, b) \
  do {                      \
    type held = (a);        \
    (a) = (b);              \
    (b) = held;             \
  } while (0)

#endif
