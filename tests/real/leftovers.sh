#!/usr/bin/env bash
# Two hundred runs against the notes server leave no process behind: half of them run to their end, half are
# interrupted or terminated at a random moment, and every second one starts the server behind a shell.
#
# Every process that a run starts inherits a mark in its environment, by which /proc finds it whatever group or
# session it moved to; so this needs Linux.
#
# usage: tests/real/leftovers.sh [BINARY [SERVER [RUNS]]]       SEED=N plays the same moments again
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(realpath "${1:-target/release/mcp-footprint}")
server=$(realpath "${2:-target/debug/examples/notes}")
runs=${3:-200}
seed=${SEED:-$$}
RANDOM=$seed
mark=MCP_FOOTPRINT_LEFTOVERS=$$-$seed
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# The ids of the processes that carry the mark; what has ended while we looked is not one.
marked() {
  local environment
  for environment in $(grep -lszx "$mark" /proc/[0-9]*/environ || true); do
    environment=${environment#/proc/}
    echo "${environment%/environ}"
  done
}

fail() {
  echo "FAIL  run $run of $runs (seed $seed, $how): $1"
  sed 's/^/    /' "$output"
  exit 1
}

interrupted=0
for ((run = 1; run <= runs; run++)); do
  command=("$server")
  # shellcheck disable=SC2016 # the inner shell expands it; `exit` keeps it from replacing itself by the server
  ((run % 2)) || command=(sh -c '"$0"; exit $?' "$server")

  run_binary=(env "$mark" "$binary" report --format json -- "${command[@]}")
  how="to its end"
  allowed="0"
  if ((run % 4 >= 2)); then
    signal=INT allowed="0 130"
    ((RANDOM % 2)) || signal=TERM allowed="0 143"
    how=$(printf 'SIG%s after 0.%03d s' "$signal" $((RANDOM % 60 + 1)))
    moment=${how#* after }
    # timeout signals the process and then its whole group, as a terminal does.
    run_binary=(timeout --preserve-status --signal "$signal" "${moment% s}" "${run_binary[@]}")
  fi

  status=0
  "${run_binary[@]}" >"$output" 2>&1 </dev/null || status=$?
  [[ " $allowed " == *" $status "* ]] || fail "exit $status, allowed is $allowed"
  ((status == 0)) || interrupted=$((interrupted + 1))

  # What was killed may need a moment to be gone.
  for _ in {1..20}; do
    mapfile -t left < <(marked)
    [ ${#left[@]} -gt 0 ] || break
    sleep 0.05
  done
  if [ ${#left[@]} -gt 0 ]; then
    ps -o pid,ppid,pgid,stat,args -p "$(IFS=, && echo "${left[*]}")" || true
    kill -KILL "${left[@]}" || true
    fail "left behind: ${left[*]}"
  fi
done
echo "ok    $runs runs, $interrupted of them cut short (seed $seed): no process left behind"
