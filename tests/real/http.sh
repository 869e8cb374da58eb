#!/usr/bin/env bash
# Prices real servers over their own streamable HTTP and compares every tool with what the same server lists over
# stdio: the way to a server must not change what it costs. Run tests/real/run.sh first, which installs the servers.
#
# usage: tests/real/http.sh [BINARY]       needs node, python3 and jq
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(realpath "${1:-target/release/mcp-footprint}")
into=target/real
log=$(mktemp)
server=

end_server() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  server=
}
trap 'end_server; rm -f "$log"' EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# start PORT COMMAND…: waits until the port is open.
start() {
  local port=$1
  shift
  "$@" >"$log" 2>&1 </dev/null &
  server=$!
  for _ in {1..300}; do
    (exec 3<>"/dev/tcp/localhost/$port") 2>/dev/null && return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  echo "FAIL  it does not listen: $*"
  sed 's/^/    /' "$log"
  exit 1
}

# tools FLAG…: floor, descriptions and tools in one line, then a line for every tool.
tools() {
  "$binary" report --format json --protocol 2025-11-25 "$@" | jq -r '.servers[0]
    | if .error then "\(.error.code): \(.error.message)" else
        "floor \(.floor_tokens), descriptions \(.description_tokens), tools \(.tool_count)",
        (.tools[] | "\(.name)\t\(.tokens)\t\(.sha256)") end'
}

# compare LABEL URL -- COMMAND…: what is listed at the URL, and what the command lists over stdio.
compare() {
  local label=$1 url=$2 http stdio
  shift 2
  http=$(tools --url "$url") || true
  stdio=$(tools "$@") || true
  end_server
  if [ "$http" = "$stdio" ] && [[ $http == floor* ]]; then
    echo "ok    $label over HTTP as over stdio: ${http%%$'\n'*}"
  else
    echo "FAIL  $label: stdio (-) and HTTP (+) differ"
    diff <(echo "$stdio") <(echo "$http") | sed 's/^/    /' || true
    failures=$((failures + 1))
  fi
}

failures=0
everything=$into/npm/node_modules/.bin/mcp-server-everything
playwright=$into/npm/node_modules/.bin/playwright-mcp
duckduckgo=$into/venv/bin/duckduckgo-mcp-server

port=$(free_port)
start "$port" env PORT="$port" "$everything" streamableHttp
compare server-everything "http://localhost:$port/mcp" -- "$everything"

port=$(free_port)
start "$port" "$playwright" --port "$port"
compare playwright "http://localhost:$port/mcp" -- "$playwright"

port=$(free_port)
start "$port" "$duckduckgo" --transport streamable-http --host 127.0.0.1 --port "$port"
compare duckduckgo-mcp-server "http://127.0.0.1:$port/mcp" -- "$duckduckgo"

[ "$failures" -eq 0 ] || { echo "$failures of the real servers differ over HTTP"; exit 1; }
