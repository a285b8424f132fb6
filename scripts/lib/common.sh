# Shared by the scripts: where things are, one line per step, and how many compilers fit into memory.
# shellcheck shell=bash
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export LC_ALL="${LC_ALL:-C.UTF-8}"

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }
die() { complain "$*"; exit 1; }

# Compiling one file that includes LibTorch takes up to 1.7 GB.
build_jobs() {
  local cores memory jobs
  cores="$(nproc 2>/dev/null || echo 2)"
  memory="$(awk '/^MemAvailable:/ {print int($2 / 1024 / 1024 / 2)}' /proc/meminfo 2>/dev/null || echo 1)"
  jobs=$((cores + 1))
  [ "$memory" -lt "$jobs" ] && jobs="$memory"
  [ "$jobs" -lt 1 ] && jobs=1
  printf '%s' "$jobs"
}

# Whether anything that goes into a build is newer than the file $1. Folders count, so that removed files are noticed.
newer_sources_than() {
  [ -e "$1" ] || return 0
  local newer
  newer="$(cd "$ROOT" && find CMakeLists.txt CMakePresets.json cmake core ui app local/torch/stamp -newer "$1" -print -quit 2>/dev/null)"
  [ -n "$newer" ]
}
