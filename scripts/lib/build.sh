# Configuring and building the release preset.
# shellcheck shell=bash

BUILD="$ROOT/build/release"
BUILD_LOG="$ROOT/build/build.log"

# Catch2 changed its headers with version 3; the tests are written for version 2.
tests_option() {
  if [ -e /usr/include/catch2/catch.hpp ] || [ -e /usr/local/include/catch2/catch.hpp ]; then printf ON; else printf OFF; fi
}

# $@: more options for cmake.
configure() {
  mkdir -p "$ROOT/build"
  (cd "$ROOT" && cmake --preset release -DLW_TESTS="$(tests_option)" "$@") >"$BUILD_LOG" 2>&1 || {
    tail -30 "$BUILD_LOG" >&2
    die "Configuring failed; all of it is in $BUILD_LOG."
  }
}

# $@: targets, none for all.
build() {
  cmake --build "$BUILD" -j "$(build_jobs)" ${1:+--target "$@"} || die "Building failed; see the messages above."
}
