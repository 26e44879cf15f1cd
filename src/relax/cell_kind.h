/* relax/cell_kind.h - what a cell of a grid or a vertex of a mesh is to a solver. */
#ifndef TH_RELAX_CELL_KIND_H
#define TH_RELAX_CELL_KIND_H

typedef enum th_cell_kind {
  TH_CELL_WALL = 0,  /* outside; u = 0 with Dirichlet walls, absent with Neumann walls */
  TH_CELL_FREE = 1,  /* unknown */
  TH_CELL_PINNED = 2 /* known value: appears in the right-hand side only */
} th_cell_kind;

#endif
