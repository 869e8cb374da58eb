#!/usr/bin/env bash
# Puts mcp-footprint on the path of the steps that follow: a release whose checksum is right, or this action's commit
# built with cargo.
set -euo pipefail

into=$RUNNER_TEMP/mcp-footprint-bin
mkdir -p "$into"

target() {
  case "$RUNNER_OS-$RUNNER_ARCH" in
    Linux-X64) echo x86_64-unknown-linux-musl ;;
    Linux-ARM64) echo aarch64-unknown-linux-musl ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    Windows-X64) echo x86_64-pc-windows-msvc ;;
    *) echo "::error::no release is built for $RUNNER_OS on $RUNNER_ARCH; use version: source" >&2; return 1 ;;
  esac
}

# The shell opens the files: a Windows path is an address to some tars, and is escaped by some of the others.
sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi <"$1" | cut -d ' ' -f 1; }

release() {
  local archive expected work
  # The runner promises no repository to a composite action, though it names one today.
  if [[ $RELEASES == *//releases/* ]]; then
    echo "::error::the runner does not say whose releases to take; use version: source" >&2
    return 1
  fi
  archive=mcp-footprint-$(target).tar.gz
  work=$(mktemp -d "$RUNNER_TEMP/release.XXXXXX")
  local fetch=(curl --fail --silent --show-error --location --retry 3)
  if ! { "${fetch[@]}" --output "$work/$archive" "$RELEASES/v$INPUT_VERSION/$archive" &&
    "${fetch[@]}" --output "$work/SHA256SUMS" "$RELEASES/v$INPUT_VERSION/SHA256SUMS"; }; then
    echo "::error::there is no release $INPUT_VERSION with $archive; choose another version, or version: source" >&2
    return 1
  fi
  expected=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
  if [ -z "$expected" ] || [ "$expected" != "$(sha256 "$work/$archive")" ]; then
    echo "::error::the checksum of $archive is not the one of the release; nothing was installed" >&2
    return 1
  fi
  (cd "$into" && tar -xzf -) <"$work/$archive"
}

if [ "$INPUT_VERSION" = source ]; then
  cargo install --locked --quiet --path "$GITHUB_ACTION_PATH" --root "$RUNNER_TEMP/mcp-footprint-cargo"
  cp "$RUNNER_TEMP"/mcp-footprint-cargo/bin/mcp-footprint* "$into/"
elif [[ $INPUT_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+([-.][0-9A-Za-z.]+)?$ ]]; then
  release
else
  echo "::error::the version is \`source\`, or one such as 0.1.0" >&2
  exit 1
fi
echo "$into" >>"$GITHUB_PATH"
