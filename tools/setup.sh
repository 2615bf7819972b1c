#!/usr/bin/env bash
# Makes this machine ready for Weft and builds it; run.sh, test.sh and .ci/run are made of this.
#
#   tools/setup.sh packages build|ci            installs with apt what is missing of what the purpose needs
#   tools/setup.sh build PRESET [TARGET...]     configures (where needed) and builds in build/PRESET
#   tools/setup.sh jobs                         prints how many compilers fit this machine; WEFT_JOBS overrides
#
# Quiet, all to stderr: one line where there is something to do, the log where it fails. Nothing but `packages` with
# something missing touches the network or needs root.
set -euo pipefail

root=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
compiler=${CXX:-c++}
command -v "$compiler" >/dev/null || compiler=g++

say() { echo "weft: $*" >&2; }

have_command() { command -v "$1" >/dev/null; }

have_header() {  # asks the compiler where it will look; without one, looks where Debian puts headers
  if have_command "$compiler"; then
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | "$compiler" -E -x c++ - >/dev/null 2>&1
  else
    [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]
  fi
}

have_library() {
  if have_command "$compiler"; then
    [ "$("$compiler" -print-file-name="lib$1.so")" != "lib$1.so" ]
  else
    compgen -G "/usr/lib/*/lib$1.so" >/dev/null
  fi
}

# Debian packages the purpose needs and this machine lacks, one "package: what it provides" a line.
missing() {
  have_command "$compiler" || echo "g++: a C++20 compiler"
  have_command cmake || echo "cmake: cmake 3.25 or later"
  have_command ninja || echo "ninja-build: ninja"
  have_library boost_program_options || echo "libboost-program-options-dev: Boost.Program_options"
  have_header boost/graph/adjacency_list.hpp || echo "libboost-dev: the Boost headers"
  have_header yaml-cpp/yaml.h || echo "libyaml-cpp-dev: yaml-cpp"
  have_header fmt/core.h || echo "libfmt-dev: fmt 9 or later"
  have_header zlib.h || echo "zlib1g-dev: zlib"
  have_header catch2/catch.hpp || have_header catch2/catch_all.hpp || echo "catch2: Catch2 (v2 or v3)"
  [ "$1" = build ] && return
  have_command git || echo "git: git"
  have_command clang++-14 || echo "clang-14: clang 14"
  compgen -G "/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*" >/dev/null ||
    echo "libclang-rt-14-dev: the sanitizers and libFuzzer of clang 14"
  have_command clang-format-14 || echo "clang-format-14: clang-format 14"
  have_command run-clang-tidy-14 || echo "clang-tidy-14: clang-tidy 14"
  have_command valgrind || echo "valgrind: valgrind"
  have_command debootstrap || echo "debootstrap: debootstrap"
  have_command opensm || echo "opensm: OpenSM"
  have_command ibsim || echo "ibsim-utils: ibsim"
  have_command ibnetdiscover || echo "infiniband-diags: ibnetdiscover"
  have_command ibdmchk || echo "ibutils: ibdmchk"
}

as_root=()
can_be_root() {
  [ "$(id -u)" -eq 0 ] && return
  have_command sudo || return
  as_root=(sudo)
  sudo -n true 2>/dev/null || [ -t 0 ]  # a password can be asked for only at a terminal
}

is_debian() { (. /etc/os-release 2>/dev/null && [[ ${ID:-} =~ ^(debian|ubuntu)$ ]]) && have_command apt-get; }

refuse() {  # reason, findings
  say "$1. These Debian packages, or what they provide, are missing:"
  sed 's/^/  /' <<<"$2" >&2
  exit 1
}

packages() {
  local findings names log
  findings=$(missing "$1")
  if [ -n "$findings" ]; then
    is_debian || refuse "only Debian and Ubuntu are set up automatically" "$findings"
    can_be_root || refuse "installing needs root or sudo" "$findings"
    mapfile -t names <<<"$(cut -d: -f1 <<<"$findings")"
    say "installing ${names[*]}"
    log=$(mktemp)
    apt_install "${names[@]}" >"$log" 2>&1 || {
      tail -n 8 "$log" >&2
      rm -f "$log"
      refuse "apt could not install everything" "$(missing "$1")"
    }
    rm -f "$log"
    findings=$(missing "$1")
    [ -z "$findings" ] || refuse "apt has run, but something is still not there" "$findings"
  fi
  check_versions
}

apt_install() {
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update </dev/null  # an empty or old list knows no package, or only versions that are gone
  "${apt[@]}" install --no-install-recommends "$@" </dev/null
}

check_versions() {
  local version
  "$compiler" -E -x c++ - >/dev/null 2>&1 <<<'#if __clang__ ? __clang_major__ < 14 : __GNUC__ < 12
#error
#endif' || { say "$compiler is too old: g++ 12 or clang 14 is needed (set CXX to choose another)"; exit 1; }
  version=$(cmake --version | sed -n '1s/.* //p')
  printf '3.25\n%s\n' "$version" | sort -C -V ||
    { say "cmake $version is too old: 3.25 is needed"; exit 1; }
}

# A compiler with Boost and Catch2 in hand takes up to 1 GB.
jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {kb = $2}
                   FILENAME ~ /memory.max$/ && $1 + 0 > 0 && $1 / 1024 < kb {kb = $1 / 1024}
                   END {print int(kb / 1048576)}' /proc/meminfo $(ls /sys/fs/cgroup/memory.max 2>/dev/null) 2>/dev/null) &&
    [ "$gigabytes" -ge 1 ] || gigabytes=1
  echo "${WEFT_JOBS:-$((gigabytes < cores ? gigabytes : cores))}"
}

run_logged() {  # log, command...: shows the log where the command fails
  local log=$1
  shift
  "$@" >>"$log" 2>&1 || {
    # From the first error on, or the end of whatever else went wrong.
    sed -n '/^FAILED:\|^CMake Error/,$p' "$log" | grep . | head -n 80 >&2 || tail -n 40 "$log" >&2
    say "failed: $* (whole log: $log)"
    exit 1
  }
}

build() {
  local preset=$1 dir=$root/build/$1 log=$root/build/$1.log targets=()
  shift
  [ $# -eq 0 ] || targets=(--target "$@")
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"  # two builds of one folder at a time would ruin each other
  flock 9
  cd "$root"
  : >"$log"
  if [ ! -e "$dir/build.ninja" ] || [ CMakePresets.json -nt "$dir/build.ninja" ] ||
    ! grep -sqxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    say "configuring build/$preset"
    run_logged "$log" cmake --preset "$preset" --fresh
  fi
  (sleep 1 >/dev/null 2>&1 && say "building build/$preset") 9>&- &  # said only to those who have to wait
  disown
  trap "kill $! 2>/dev/null || true" EXIT
  run_logged "$log" cmake --build "$dir" --parallel "$(jobs)" "${targets[@]}"
}

case "${1:-} $#" in
  "packages 2") packages "$2" ;;
  build\ [2-9]*) build "${@:2}" ;;
  "jobs 1") jobs ;;
  *)
    say "usage: tools/setup.sh packages build|ci | build PRESET [TARGET...] | jobs"
    exit 2
    ;;
esac
