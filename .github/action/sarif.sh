#!/usr/bin/env bash
# Uploads SARIF to code scanning. A token that may not, as on a pull request from a fork, is told and changes nothing:
# the verdict stands.
set -euo pipefail

if [ -z "$SARIF" ]; then
  echo "there is no SARIF to upload"
  exit 0
fi
work=$(mktemp -d "$RUNNER_TEMP/sarif.XXXXXX")
gzip -c "$SARIF" | base64 | tr -d '\n' >"$work/sarif"
jq -n --arg commit "$GITHUB_SHA" --arg ref "$GITHUB_REF" --rawfile sarif "$work/sarif" \
  '{commit_sha: $commit, ref: $ref, sarif: $sarif, tool_name: "mcp-footprint"}' >"$work/upload.json"
if ! said=$(gh api --method POST "repos/$GITHUB_REPOSITORY/code-scanning/sarifs" --input "$work/upload.json" 2>&1); then
  echo "::warning::SARIF was not uploaded; the token needs \`security-events: write\`"
  # What the service says is shown and never read as a command.
  printf '  | %s\n' "${said//$'\n'/$'\n'  | }"
fi
