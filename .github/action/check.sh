#!/usr/bin/env bash
# Runs the check once, whatever comes of it, and tells the steps that follow: the verdict, the figures, the documents.
# The program itself writes the annotations and the summary of the job.
set -euo pipefail

documents=$(mktemp -d "$RUNNER_TEMP/mcp-footprint.XXXXXX")
formats=(json markdown sarif)
servers=()
while IFS= read -r server; do
  [ -z "$server" ] || servers+=("--server=$server")
done <<<"$INPUT_SERVERS"
base=
case $INPUT_BASE in
  none) ;;
  auto) [ -z "${GITHUB_BASE_REF:-}" ] || base=origin/$GITHUB_BASE_REF ;;
  *) base=$INPUT_BASE ;;
esac

# The budgets file at the place in the work tree $1 that it has in this one. One that lies elsewhere is in no commit.
budgets_in() {
  local folder root
  folder=$(cd "$(dirname "$INPUT_BUDGETS")" && pwd -P) || return 1
  root=$(cd "$(git rev-parse --show-toplevel)" && pwd -P) || return 1
  case $folder/ in
    "$root"/*) printf '%s\n' "$1${folder#"$root"}/$(basename "$INPUT_BUDGETS")" ;;
    *) echo "$INPUT_BUDGETS is not in this repository" >&2; return 1 ;;
  esac
}

# The servers of the commit that the branch left, in a work tree of its own.
capture_in() {
  local tree=$1 prefix budgets chosen=()
  if [ -n "$INPUT_BUDGETS" ]; then
    budgets=$(budgets_in "$tree") || return 1
    chosen=("--budgets=$budgets")
  fi
  prefix=$(git rev-parse --show-prefix) || return 1
  chosen+=(${servers[@]+"${servers[@]}"})
  # Nothing there may lead back to the servers of this change.
  (cd "$tree/$prefix" &&
    GITHUB_WORKSPACE=$tree mcp-footprint capture "--output=$documents/base.json" ${chosen[@]+"${chosen[@]}"})
}

# What cannot be measured there is told, and is no reason to refuse this change.
measure_base() {
  local commit tree=$documents/base status=0
  commit=$(git merge-base "$base" HEAD) || return 1
  git worktree add --quiet --detach "$tree" "$commit" || return 1
  capture_in "$tree" || status=1
  git worktree remove --force "$tree" || true
  return "$status"
}

check() {
  local arguments=(check) format
  [ -z "$INPUT_BUDGETS" ] || arguments+=("--budgets=$INPUT_BUDGETS")
  arguments+=(${servers[@]+"${servers[@]}"})
  for format in "${formats[@]}"; do
    arguments+=(--output "$format=$documents/report.$format")
  done
  [ -z "$base" ] || arguments+=("--base=$base")
  if [ -n "$INPUT_AGAINST" ]; then
    arguments+=("--against=$INPUT_AGAINST")
  elif [ "$INPUT_MEASURE_BASE" = true ] && [ -n "$base" ]; then
    if measure_base; then
      arguments+=("--against=$documents/base.json")
    else
      echo "::warning::the base commit could not be measured, so what this change adds is not told"
    fi
  fi
  mcp-footprint "${arguments[@]}"
}

said_before=$(wc -c 2>/dev/null <"${GITHUB_STEP_SUMMARY:-/dev/null}" || echo 0)
status=0
if cd "$INPUT_WORKING_DIRECTORY"; then
  check || status=$?
else
  echo "::error::the working directory of this action does not exist"
  status=2
fi
case $status in
  0) verdict=pass ;;
  1) verdict=refused ;;
  3) verdict=not_measured ;;
  *) verdict=error ;;
esac
# A check that was impossible leaves no document, but the summary says why.
if [ ! -s "$documents/report.markdown" ] && [ -s "${GITHUB_STEP_SUMMARY:-}" ]; then
  tail -c "+$((said_before + 1))" "$GITHUB_STEP_SUMMARY" >"$documents/report.markdown"
fi

# A figure over all servers and clients; nothing where one of them was not measured, since no part of a sum is the sum.
figure() {
  [ -s "$documents/report.json" ] || return 0
  jq -r "(.servers + (.clients // [])) | if all(.status == \"measured\") then $1 else empty end" \
    "$documents/report.json" | tr -d '\r'
}
{
  echo "status=$status"
  echo "verdict=$verdict"
  echo "floor=$(figure 'map(.floor_tokens) | add')"
  echo "descriptions=$(figure 'map(.description_tokens) | add')"
  echo "difference=$(figure 'map(.floor_tokens - .gate.floor.budget) | add | if . > 0 then "+\(.)" else . end')"
  for format in "${formats[@]}"; do
    [ ! -s "$documents/report.$format" ] || echo "$format=$documents/report.$format"
  done
} >>"$GITHUB_OUTPUT"
