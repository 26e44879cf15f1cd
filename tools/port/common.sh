# common.sh - what the ports of tools/port share.

jobs=${TH_JOBS:-$(nproc)}
# Suites that every port builds and runs: what a platform can get wrong, and the hashes.
platform_targets="test_threads test_files test_tasks test_jobs test_simd_math test_trig test_exp_log test_bvp_relax"
early_targets="test_golden $platform_targets"

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# A port that cannot be tried here, because what it is built from cannot be fetched, ends with this code.
unfetched() { printf 'dev: %s\n' "$*" >&2; exit 75; }

# quietly NAME COMMAND...: shows the end of its output when it fails.
quietly() {
  local name=$1
  shift
  mkdir -p build/log
  "$@" >"build/log/$name.log" 2>&1 && return
  tail -n 60 "build/log/$name.log" >&2
  die "failed: $* (all of its output: build/log/$name.log)"
}

configure() { # configure PRESET [OPTION...]
  say "configuring $1"
  quietly "configure-$1" cmake --preset "$@"
}

compile() { # compile PRESET [TARGET...]
  local preset=$1
  shift
  say "building $preset${*:+: $*}"
  quietly "build-$preset" ninja -C "build/$preset" -j "$jobs" "$@"
  grep -A6 'warning:' "build/log/build-$preset.log" >&2 || true
}

run_suites() { # run_suites PRESET CTEST-OPTION...
  local preset=$1
  shift
  say "testing $preset"
  ctest --test-dir "build/$preset" -j "$jobs" --timeout 86400 --output-on-failure --no-tests=error "$@"
}

# The suites of early_targets; the golden file to its early hashes, after 20 steps.
run_early() {
  GOLDEN=early run_suites "$1" --tests-regex "^(${early_targets// /|}|test_golden_2)\$"
}

# source_of PACKAGE: prints the folder of a source package of the distribution. It comes by an apt with a configuration of
# its own, made from the package sources of this system, which do not change.
source_of() {
  local own=$PWD/build/port/source log=$PWD/build/log/source-$1.log list
  [ -d "$own/$1" ] || {
    mkdir -p build/log "$own/apt/parts" "$own/apt/lists/partial" "$own/apt/cache/archives/partial" "$own/$1.new"
    for list in /etc/apt/sources.list.d/*.sources; do
      [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$own/apt/parts/${list##*/}"
    done
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
      [ ! -s "$list" ] || sed -nE 's/^deb(-src)? /deb-src /p' "$list" | sort -u >"$own/apt/parts/$(basename "$list" .list).list"
    done
    (cd "$own" && source_apt update && source_apt source --download-only "$1" &&
      tar xf "$(find . -maxdepth 1 -name "$1_*.orig.tar.[gx]z")" -C "$1.new" --strip-components=1 && mv "$1.new" "$1") \
      >"$log" 2>&1 || unfetched "the source package $1 cannot be fetched ($log)"
  }
  echo "$own/$1"
}
source_apt() {
  apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/apt/parts" -o Dir::State::lists="$PWD/apt/lists" \
    -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=root "$@"
}

# build_library PORT PACKAGE [OPTION...]: builds a source package by CMake with the port's toolchain, into its root.
build_library() {
  local port=$1 package=$2 root=$PWD/build/port/$1/sysroot source
  shift 2
  [ ! -f "$root/lib/pkgconfig/$package.pc" ] || return 0
  source=$(source_of "$package") || exit
  say "building $package for $port"
  quietly "configure-$package-$port" cmake -S "$source" -B "build/port/$port/$package" -G Ninja --toolchain "$PWD/cmake/$port.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_INSTALL_LIBDIR=lib "$@"
  quietly "build-$package-$port" ninja -C "build/port/$port/$package" -j "$jobs" install
}

build_cmocka() { build_library "$1" cmocka -DWITH_EXAMPLES=OFF -DUNIT_TESTING=OFF; }
build_jansson() { build_library "$1" jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF; }
