# LibTorch: the C++ libraries and headers out of the official wheels, pinned by hash.
# shellcheck shell=bash

TORCH_FOLDER="$ROOT/local/torch"
TORCH_PLATFORMS=(manylinux_2_28_x86_64 manylinux_2_27_x86_64 manylinux_2_25_x86_64 manylinux_2_18_x86_64 manylinux_2_17_x86_64
                 manylinux_2_12_x86_64 manylinux2014_x86_64 manylinux2010_x86_64 manylinux1_x86_64)

torch_flavour() {
  case "${LENGTHWISE_FLAVOUR:-auto}" in
    cpu | cuda) printf '%s' "$LENGTHWISE_FLAVOUR" ;;
    auto) if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then printf cuda; else printf cpu; fi ;;
    *) die "LENGTHWISE_FLAVOUR is \"$LENGTHWISE_FLAVOUR\"; it can be cpu, cuda or auto." ;;
  esac
}

requirement_files() {
  printf '%s\n' "$ROOT/requirements-torch.txt"
  [ "$1" = cuda ] && printf '%s\n' "$ROOT/requirements-torch-cuda.txt"
  return 0
}

# Changes whenever a version, a hash or the flavour does.
torch_key() {
  mapfile -t files < <(requirement_files "$1")
  printf '%s ' "$1"
  cat "${files[@]}" | grep -v '^#' | sha256sum | cut -d' ' -f1
}

free_megabytes() { df -Pm "$1" | awk 'NR == 2 {print $4}'; }

fetch_torch() {
  local flavour="$1" wheels="$ROOT/local/wheels" log="$ROOT/local/pip.log" size=545 need=3500
  [ "$flavour" = cuda ] && { size=2600; need=9000; }
  mkdir -p "$wheels"
  [ "$(free_megabytes "$wheels")" -gt "$need" ] ||
    die "LibTorch needs about $need MB of free disk while it is unpacked; $ROOT has $(free_megabytes "$wheels") MB."
  say "LibTorch   downloading about $size MB ($flavour)"
  local arguments=(--no-deps --require-hashes --only-binary=:all: --implementation cp --python-version 3.11 --dest "$wheels" -q)
  local platform file
  for platform in "${TORCH_PLATFORMS[@]}"; do arguments+=(--platform "$platform"); done
  while read -r file; do arguments+=(-r "$file"); done < <(requirement_files "$flavour")
  python3 -m pip download --disable-pip-version-check "${arguments[@]}" >"$log" 2>&1 || {
    complain "LibTorch could not be downloaded: $(grep -E 'ERROR|error' "$log" | tail -1) (all of it: $log)"
    complain "With LibTorch 2.11 already on this machine, set LENGTHWISE_TORCH_DIR to the folder that holds its lib and include."
    return 1
  }
  python3 "$ROOT/scripts/lib/unpack_wheels.py" "$wheels" "$TORCH_FOLDER" || return 1
  rm -rf "$wheels"
}

ensure_torch() {
  if [ -n "${LENGTHWISE_TORCH_DIR:-}" ]; then
    local folder
    for folder in "$LENGTHWISE_TORCH_DIR" "$LENGTHWISE_TORCH_DIR/torch"; do
      [ -e "$folder/lib/libtorch_cpu.so" ] && { say "LibTorch   $folder (LENGTHWISE_TORCH_DIR)"; return 0; }
    done
    die "LENGTHWISE_TORCH_DIR is $LENGTHWISE_TORCH_DIR, but lib/libtorch_cpu.so is not in it."
  fi
  local flavour stamp="$TORCH_FOLDER/stamp"
  flavour="$(torch_flavour)"
  # A CUDA flavour that is there serves the CPU as well.
  if [ -e "$stamp" ] && { [ "$(cat "$stamp")" = "$(torch_key "$flavour")" ] || [ "$(cat "$stamp")" = "$(torch_key cuda)" ]; }; then
    say "LibTorch   there ($(cut -d' ' -f1 "$stamp"))"
    return 0
  fi
  fetch_torch "$flavour" || return 1
  torch_key "$flavour" >"$stamp"
}
