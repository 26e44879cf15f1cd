/* view/wish.c - the direction in which a neighbour wants to go, for models. */
#include "view/wish.h"

th_vec2 th_view_wish(const th_view *view, uint32_t candidate) { return th_wish_of(view, candidate); }
