#!/usr/bin/env bash
# Runs a server that leaves a process behind where the leaders of our own group and session have no number: in a
# container that was entered from outside. A debug binary is wanted: it asserts what a release binary takes on trust.
#
# usage: tests/real/container.sh BINARY SCRIPTED
set -euo pipefail

binary=$(realpath "$1")
scripted=$(realpath "$2")
enter=(unshare --pid --fork --mount-proc)
[ "$(id -u)" -eq 0 ] || enter+=(--user --map-root-user)
if ! "${enter[@]}" true 2>/dev/null; then
  echo "skipped: this system lets nobody make a process namespace" >&2
  exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
answer='{"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"ok"}]}}'
printf '\n---\nspawn session\ninitialize\nexpect tools/list\nsend %s\n' "$answer" >"$folder/leaves"

said=$("${enter[@]}" "$binary" report --format json -- "$scripted" "$folder/leaves" 2>&1 >"$folder/report.json")
tokens=$(jq .servers[0].floor_tokens "$folder/report.json")
if [ "$tokens" != 5 ] || [[ $said != *"had left the group of its server and was ended"* ]]; then
  printf 'measured %s tokens, wanted 5, and said: %s\n' "$tokens" "$said" >&2
  exit 1
fi
echo "ok: measured and ended in a container that was entered from outside"
