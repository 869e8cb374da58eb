#!/usr/bin/env bash
# Prices real servers through the binary and compares the totals with counts made independently of this program.
#
# The servers come from the npm registry and from PyPI at exact versions (package-lock.json, requirements.txt) into
# target/real/. A difference means that the program counts differently than before, never that the world moved.
#
# usage: tests/real/run.sh [BINARY]       needs node with npm, python3 with venv, and jq
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(realpath "${1:-target/release/mcp-footprint}")
into=target/real

install_servers() {
  mkdir -p "$into/npm"
  cp tests/real/package.json tests/real/package-lock.json "$into/npm/"
  npm ci --prefix "$into/npm" --ignore-scripts --no-audit --no-fund --loglevel=error
  [ -x "$into/venv/bin/python" ] || python3 -m venv "$into/venv"
  "$into/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --requirement tests/real/requirements.txt
}

# price LABEL FLOOR DESCRIPTIONS TOOLS [FLAG…] -- COMMAND…
price() {
  local label=$1 expected="floor $2, descriptions $3, tools $4" document measured status=0
  shift 4
  document=$("$binary" report --format json --protocol 2025-11-25 "$@") || status=$?
  if [ "$status" -ne 0 ]; then
    echo "FAIL  $label: not measured, exit $status"
    echo "    $(jq -r '.servers[0].error | "\(.code): \(.message)"' <<<"$document" || true)"
    failures=$((failures + 1))
    return
  fi
  measured=$(jq -r '.servers[0]
    | "floor \(.floor_tokens), descriptions \(.description_tokens), tools \(.tool_count)"' <<<"$document")
  if [ "$measured" = "$expected" ]; then
    echo "ok    $label: $measured"
  else
    echo "FAIL  $label: the totals differ"
    echo "  - expected: $expected"
    echo "  + measured: $measured"
    jq -r '.servers[0].tools[] | "    \(.tokens)\t\(.description_tokens)\t\(.name)"' <<<"$document"
    failures=$((failures + 1))
  fi
}

install_servers
everything=$into/npm/node_modules/.bin/mcp-server-everything
filesystem=$into/npm/node_modules/.bin/mcp-server-filesystem
memory=$into/npm/node_modules/.bin/mcp-server-memory
time=$into/venv/bin/mcp-server-time
capabilities=(--capability roots --capability sampling --capability elicitation)

failures=0
price server-everything 1706 209 13 -- "$everything"
price "server-everything, every capability" 2034 254 16 "${capabilities[@]}" -- "$everything"
price server-filesystem 2821 751 14 -- "$filesystem" "$into"
price server-memory 2376 88 9 -- "$memory"
price mcp-server-time 550 12 2 -- "$time" --local-timezone Etc/UTC

[ "$failures" -eq 0 ] || { echo "$failures of the real servers are not priced as expected"; exit 1; }
