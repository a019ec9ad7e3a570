# Sourced by the commands of this checkout: finds a JDK, and builds what is missing or older than the sources.
# Needs $root and the $modules to build; gives $java, $class_path_file, class_path, is_stale, build and fail.
# shellcheck shell=bash disable=SC2034,SC2154

class_path_file=$root/compat-tests/target/class-path
build_needs_kib=$((1536 * 1024))

fail() {
  printf '%s: error: %s\n' "$(basename "$0")" "$@" >&2
  exit 2
}

java=java
javac=javac
if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
  javac=$JAVA_HOME/bin/javac
fi
command -v "$java" >/dev/null 2>&1 ||
  fail "no Java found ($java); install a JDK 17 or newer, and put it on the PATH or let JAVA_HOME name it"
version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1) || version=""
[ "${version:-0}" -ge 17 ] ||
  fail "$java is of version ${version:-unknown}; Shelfmark needs a JDK 17 or newer: put one on the PATH or let JAVA_HOME name it"

# Whether a file of the last build is missing or older than the sources.
is_stale() { # FILE
  [ -f "$1" ] || return 0
  local module
  for module in $modules; do
    if [ -n "$(find "$root/pom.xml" "$root/$module" \
      \( -name target -o -path '*/src/test' \) -prune -o -type f -newer "$1" -print -quit)" ]; then return 0; fi
  done
  return 1
}

# Maven leaves a file as old as it is when its content stays the same; FILEs are told to be of this build.
build() { # FILE ...
  command -v "$javac" >/dev/null 2>&1 ||
    fail "Shelfmark is not built yet and $javac is missing: this is a Java runtime only; install a JDK 17 or newer"
  command -v mvn >/dev/null 2>&1 ||
    fail "Shelfmark is not built yet and Maven (mvn) is not on the PATH; install Maven 3.8 or newer"
  local free log begun
  free=$(df -Pk "$root" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$build_needs_kib" ] ||
    fail "only $((free / 1024)) MiB are free on the disk of $root; building needs $((build_needs_kib / 1024)) MiB"
  log=$(mktemp)
  begun=$SECONDS
  printf 'Building Shelfmark (only when its sources changed; the first time Maven also fetches what it needs) ...\n' >&2
  rm -rf "$root"/migration-tool/target/shelfmark-*/ "$root"/migration-tool/target/shelfmark-*.tar.gz
  if ! (cd "$root" && mvn -B -q -Dmaven.test.skip=true -Dspotless.check.skip=true -pl "${modules// /,}" -am package) \
    >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "the build failed; its whole output is in $log"
  fi
  rm -f "$log"
  if [ $# -gt 0 ]; then touch "$@"; fi
  printf 'Built in %d s.\n' $((SECONDS - begun)) >&2
}

class_path() {
  printf '%s:%s' "$root/compat-tests/target/classes" "$(cat "$class_path_file")"
}
