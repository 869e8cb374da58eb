#!/usr/bin/env bash
# Runs the check once, whatever comes of it, and tells the steps that follow: the verdict, the figures, the documents.
# The program itself writes the annotations and the summary of the job.
set -euo pipefail

documents=$(mktemp -d "$RUNNER_TEMP/mcp-footprint.XXXXXX")
arguments=(check)
for format in json markdown sarif; do
  arguments+=(--output "$format=$documents/report.$format")
done
[ -z "$INPUT_BUDGETS" ] || arguments+=("--budgets=$INPUT_BUDGETS")
[ -z "$INPUT_AGAINST" ] || arguments+=("--against=$INPUT_AGAINST")
while IFS= read -r server; do
  [ -z "$server" ] || arguments+=("--server=$server")
done <<<"$INPUT_SERVERS"
case $INPUT_BASE in
  none) ;;
  auto) [ -z "${GITHUB_BASE_REF:-}" ] || arguments+=("--base=origin/$GITHUB_BASE_REF") ;;
  *) arguments+=("--base=$INPUT_BASE") ;;
esac

status=0
(cd "$INPUT_WORKING_DIRECTORY" && exec mcp-footprint "${arguments[@]}") || status=$?

case $status in
  0) verdict=pass ;;
  1) verdict=refused ;;
  3) verdict=not_measured ;;
  *) verdict=error ;;
esac
figure() { # figure FILTER: nothing where there is no report
  [ ! -s "$documents/report.json" ] || jq -r "[.servers[] | select(.status == \"measured\")] | $1" "$documents/report.json"
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
