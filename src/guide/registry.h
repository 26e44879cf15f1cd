/* guide/registry.h - the guides that a file can name: each is th_guide_NAME; `user`, a callback, is not among them. A
 * new guide is entered here; scenes, schema and th_guides() then include it. */
#ifndef TH_GUIDE_REGISTRY_H
#define TH_GUIDE_REGISTRY_H

#define TH_GUIDES(X) X(field) X(reference_points) X(path) X(direction) X(target) X(explore) X(tree)

#endif
