#!/bin/bash
# pages.sh SOURCE - check_pages accepts texts that agree with the tree and finds each kind that does not.
. "$(dirname "$0")/support.sh"

clean() {
  rm -rf "${room:?}"/*
  mkdir -p "$room/src/base" "$room/src/model" "$room/apps" "$room/include/throng/model" "$room/docs" "$room/tools"
  printf '# rank layer headers\n0 base base.h\n1 model model/orca.h view.h\n2 apps throng.h\n' >"$room/tools/layers.txt"
  printf 'Words.\n\nAn include points only downwards: `base`, `model`,\n`apps`. The `ranks` are elsewhere.\n\n`group` too.\n' >"$room/CONTRIBUTING.md"
  printf 'src/base/   memory\nsrc/model/  models\napps/throng/ the program\n' >"$room/docs/design.md"
  printf '/* throng/throng.h - the core.\n *   view.h   views\n */\n#include "model/orca.h"\n' >"$room/include/throng/throng.h"
  echo '#include "../base.h"' >"$room/include/throng/model/orca.h"
  echo >"$room/include/throng/base.h"
  echo >"$room/include/throng/view.h"
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
echo >"$room/include/throng/group.h"
expect check_pages 'neither includes nor names group.h'
echo '#include "../view.h"' >>"$room/include/throng/model/orca.h"
expect check_pages 'says that it does not include view.h, but does'
exit $fail
