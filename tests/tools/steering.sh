#!/bin/bash
# The scenes of the steering library are those that tools/make_steering writes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/tools/make_steering" "$work"
diff -r "$work" "$root/scenes/steering" || { echo "scenes/steering is stale: tools/make_steering scenes/steering" >&2; exit 1; }
echo "$(ls "$work" | wc -l) scenes"
