#!/bin/bash
# pages.sh SOURCE - check_pages accepts texts that agree with the tree and finds each kind that does not.
. "$(dirname "$0")/support.sh"

clean() {
  rm -rf "${room:?}"/*
  mkdir -p "$room/src/base" "$room/src/model" "$room/apps/throng" "$room/include/throng/model" "$room/docs" "$room/tools"
  printf '# rank layer headers\n0 base base.h\n1 model model/orca.h view.h\n2 apps throng.h\n' >"$room/tools/layers.txt"
  printf 'Words.\n\nAn include points only downwards: `base`, `model`,\n`apps`. The `ranks` are elsewhere.\n\n`group` too.\n' >"$room/CONTRIBUTING.md"
  printf 'src/base/   memory\nsrc/model/  models\napps/throng/ the program\n' >"$room/docs/design.md"
  printf '/* throng/throng.h - the core.\n *   view.h   views\n */\n#include "model/orca.h"\n' >"$room/include/throng/throng.h"
  echo '#include "../base.h"' >"$room/include/throng/model/orca.h"
  echo >"$room/include/throng/base.h"
  printf 'typedef struct th_view {\n  int lanes; /* not agents */\n} th_view;\nint th_view_fill(int n);\n' >"$room/include/throng/view.h"
  echo 'static const char *key[] = {"field", "roomy", "name"}, *text = "{ \"goals\": 1 }";' >"$room/src/model/keys.c"
  printf 'A goal (`field: roomy`, `goals.field: 3`), `th_view.lanes`, `th_view_fill(view, 3)` and `th_view_*`.\n' >"$room/docs/scene.md"
  printf '```json\n{"goals": [{"name": "exit", "field": "x"}], "exit": 1}\n```\n```\n"other": 1, `dead: 1`\n```\n' >>"$room/docs/scene.md"
}

accept check_pages
echo '1 group' >>"$room/tools/layers.txt"
expect check_pages 'names the layer group, but there is no folder src/group'
mkdir "$room/src/group" && echo '1 group' >>"$room/tools/layers.txt"
expect check_pages 'CONTRIBUTING.md: the order of layers does not name `group`'
mkdir "$room/src/group" && echo '1 group' >>"$room/tools/layers.txt"
expect check_pages 'docs/design.md: the tree does not list src/group/'
sed -i 's/`model`,/`model`, `group`,/' "$room/CONTRIBUTING.md"
expect check_pages 'names the layer `group`, which tools/layers.txt does not have'
mkdir "$room/src/base/simd"
expect check_pages 'docs/design.md: the tree does not name simd/ in src/base/'
sed -i 's|memory|memory (simd/ lanes)|' "$room/docs/design.md"
expect check_pages 'docs/design.md: the tree names simd/ in src/base/, which is not there'
echo 'src/view/ views' >>"$room/docs/design.md"
expect check_pages 'docs/design.md: the tree lists src/view/, which is not there'
echo >"$room/include/throng/group.h"
expect check_pages 'neither includes nor names group.h'
echo '#include "../view.h"' >>"$room/include/throng/model/orca.h"
expect check_pages 'says that it does not include view.h, but does'
echo 'Two `goals.wall: 3` once.' >>"$room/docs/scene.md"
expect check_pages 'docs/scene.md:8: names the key `wall`, which nothing reads'
echo 'Two `field: rough` once.' >>"$room/README.md"
expect check_pages 'README.md:1: gives `field` the value `rough`, which nothing reads'
printf '```json\n{"gaols": [{"name": "exit"}]}\n```\n' >"$room/README.md"
expect check_pages 'README.md:2: names the key "gaols", which nothing reads'
echo 'See `th_view.agents`.' >"$room/README.md"
expect check_pages 'README.md:1: names th_view.agents, which is no member'
echo 'See `th_view_empty(view)`.' >"$room/README.md"
expect check_pages 'README.md:1: names th_view_empty, which is not there'
exit $fail
