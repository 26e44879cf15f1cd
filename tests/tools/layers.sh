#!/bin/bash
# layers.sh SOURCE - check_layers accepts a small tree that keeps the rules and names each line that breaks one.
set -uo pipefail
source=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
fail=0

put() { # put PATH LINE...
  mkdir -p "$room/$(dirname "$1")"
  printf '%s\n' "${@:2}" >"$room/$1"
}

expect() { # expect WORDS: the check fails and says so
  local said
  said=$("$source/tools/check_layers" "$room" 2>&1) && { echo "accepted: $1"; fail=1; return; }
  grep -qF -- "$1" <<<"$said" || { printf 'expected "%s", found:\n%s\n' "$1" "$said"; fail=1; }
}

put include/throng/base.h '#include <stdint.h>'
put include/throng/ground.h '#include "base.h"'
put src/ground/flat.c '#include "throng/ground.h"' '#include "base/memory.h"' '#include "ground/flat.h"'
put src/model/registry.c '#include "model/orca/orca.h"'
put src/model/orca/orca.c '#include "model/orca/orca.h"' '#include "model/model.h"' '#include "view/view.h"'
put examples/hello.c '#include <throng/throng.h>'
put apps/throng/main.c '#include "run.h"' '#include "io/scene.h"'
put lab/bvp/field.c '#include "lab/bvp/lab.h"' '#include "cli.h"' '#include "world/world.h"'
"$source/tools/check_layers" "$room" || { echo "refused a good tree"; fail=1; }

put src/base/bad.c '' '#include "ground/flat.h"'
expect 'src/base/bad.c:2: layer base may not include "ground/flat.h"'
put src/base/bad.c '#include "throng/ground.h"'
expect 'layer base may not include "throng/ground.h"'
rm "$room/src/base/bad.c"

put src/view/bad.c '#include "field/field.h"'
expect 'layer view may not include "field/field.h"'
rm "$room/src/view/bad.c"

put src/model/orca/bad.c '#include "model/bvp/map.h"'
expect 'model orca may not include "model/bvp/map.h" of its sibling'
rm "$room/src/model/orca/bad.c"

put src/world/bad.c '#include "world.h"'
expect 'expected a path relative to src, found "world.h"'
put src/world/bad.c '#include "../io/scene.h"'
expect 'expected a path relative to src, found "../io/scene.h"'
put src/world/bad.c '#include "lab/bvp/lab.h"'
expect 'layer world may not include "lab/bvp/lab.h"'
put src/world/bad.c '#include "io/scene.h"'
expect 'layer world may not include "io/scene.h"'
rm "$room/src/world/bad.c"

put examples/hello.c '#include "base/memory.h"'
expect 'an example may include <throng/...> only'
exit $fail
