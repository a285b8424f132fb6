# System packages: what is needed, what of it is missing, and getting it with apt.
# shellcheck shell=bash

PACKAGES_BUILD=(g++ cmake ninja-build pkg-config)
PACKAGES_LIBRARIES=(libfmt-dev nlohmann-json3-dev libcli11-dev libzip-dev libsentencepiece-dev libboost-dev libboost-math-dev libbenchmark-dev libhwy-dev)
PACKAGES_WINDOW=(qt6-base-dev libqcustomplot-dev fonts-dejavu-core)
PACKAGES_TESTS=(catch2 xvfb)
PACKAGES_FETCH=(python3 python3-pip ca-certificates)
# The development files of Qt's SVG part are called differently from release to release.
SVG_NAMES=(qt6-svg-dev libqt6svg6-dev)

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
apt_knows() { apt-cache show "$1" >/dev/null 2>&1; }

svg_package() {
  local name
  for name in "${SVG_NAMES[@]}"; do is_installed "$name" && { printf '%s' "$name"; return; }; done
  for name in "${SVG_NAMES[@]}"; do apt_knows "$name" && { printf '%s' "$name"; return; }; done
  printf '%s' "${SVG_NAMES[0]}"
}

needed_packages() {
  printf '%s\n' "${PACKAGES_BUILD[@]}" "${PACKAGES_LIBRARIES[@]}" "${PACKAGES_WINDOW[@]}" "${PACKAGES_TESTS[@]}"
  svg_package; printf '\n'
  # Python and pip only fetch things; any that work will do.
  if ! python3 -m pip --version >/dev/null 2>&1; then printf '%s\n' "${PACKAGES_FETCH[@]}"; fi
}

missing_packages() {
  local name states
  mapfile -t names < <(needed_packages)
  states="$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null || true)"
  for name in "${names[@]}"; do
    grep -qx "$name installed" <<<"$states" || printf '%s\n' "$name"
  done
}

list_for_hand() {
  complain "Install these packages, then run the script again:"
  complain "  $*"
  complain "(Names are Debian's. With the libraries installed in another way, LENGTHWISE_SKIP_PACKAGES=1 goes on without asking.)"
}

# As root, or with sudo that may ask for its password on a terminal.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
  local log="$ROOT/local/apt.log"
  mkdir -p "$ROOT/local"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    list_for_hand "$@"
    return 1
  fi
  # Fetching can fail once on a busy mirror, so it is tried a second time.
  as_root apt-get update -q >"$log" 2>&1 || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 ||
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 || {
      complain "apt refused: $(grep -E '^E:' "$log" | tail -1) (all of it: $log)"
      list_for_hand "$@"
      return 1
    }
}

ensure_packages() {
  [ -n "${LENGTHWISE_SKIP_PACKAGES:-}" ] && { say "packages   not looked at (LENGTHWISE_SKIP_PACKAGES)"; return 0; }
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    complain "This system has no apt."
    mapfile -t names < <(needed_packages)
    list_for_hand "${names[@]}"
    return 1
  fi
  mapfile -t missing < <(missing_packages)
  if [ "${#missing[@]}" -eq 0 ]; then
    say "packages   all there"
  else
    say "packages   installing ${missing[*]}"
    # The name of the SVG package can be told only when apt has its lists.
    if ! apt_knows "${missing[0]}"; then as_root apt-get update -q >/dev/null 2>&1 || true; mapfile -t missing < <(missing_packages); fi
    install_packages "${missing[@]}" || return 1
  fi
}
