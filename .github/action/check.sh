#!/usr/bin/env bash
# Runs the check once, whatever comes of it, and tells the steps that follow: the verdict, the figures, the documents.
# The program itself writes the annotations and the summary of the job.
set -euo pipefail

documents=$(mktemp -d "$RUNNER_TEMP/mcp-footprint.XXXXXX")
chosen=()
[ -z "$INPUT_BUDGETS" ] || chosen+=("--budgets=$INPUT_BUDGETS")
while IFS= read -r server; do
  [ -z "$server" ] || chosen+=("--server=$server")
done <<<"$INPUT_SERVERS"
base=
case $INPUT_BASE in
  none) ;;
  auto) [ -z "${GITHUB_BASE_REF:-}" ] || base=origin/$GITHUB_BASE_REF ;;
  *) base=$INPUT_BASE ;;
esac

# The servers of the commit that the branch left, in a work tree of its own. What cannot be measured there is told, and
# is no reason to refuse this change.
measure_base() {
  local commit prefix tree=$documents/base
  commit=$(git merge-base "$base" HEAD) || return 1
  prefix=$(git rev-parse --show-prefix) || return 1
  git worktree add --quiet --detach "$tree" "$commit" || return 1
  (cd "$tree/$prefix" && mcp-footprint capture "--output=$documents/base.json" ${chosen[@]+"${chosen[@]}"})
}

arguments=(check ${chosen[@]+"${chosen[@]}"})
for format in json markdown sarif; do
  arguments+=(--output "$format=$documents/report.$format")
done
[ -z "$base" ] || arguments+=("--base=$base")
if [ -n "$INPUT_AGAINST" ]; then
  arguments+=("--against=$INPUT_AGAINST")
elif [ "$INPUT_MEASURE_BASE" = true ] && [ -n "$base" ]; then
  if (cd "$INPUT_WORKING_DIRECTORY" && measure_base); then
    arguments+=("--against=$documents/base.json")
  else
    echo "::warning::the base commit could not be measured, so what this change adds is not told"
  fi
fi

status=0
(cd "$INPUT_WORKING_DIRECTORY" && exec mcp-footprint "${arguments[@]}") || status=$?

case $status in
  0) verdict=pass ;;
  1) verdict=refused ;;
  3) verdict=not_measured ;;
  *) verdict=error ;;
esac
figure() { # figure FILTER: nothing where there is no report
  [ ! -s "$documents/report.json" ] || jq -r "[(.servers + (.clients // []))[] | select(.status == \"measured\")] | $1" "$documents/report.json"
}
{
  echo "status=$status"
  echo "verdict=$verdict"
  echo "floor=$(figure 'map(.floor_tokens) | add // 0')"
  echo "descriptions=$(figure 'map(.description_tokens) | add // 0')"
  echo "difference=$(figure 'map(.floor_tokens - .gate.floor.budget) | add // 0 | if . > 0 then "+\(.)" else . end')"
  for format in json markdown sarif; do
    [ ! -s "$documents/report.$format" ] || echo "$format=$documents/report.$format"
  done
} >>"$GITHUB_OUTPUT"
