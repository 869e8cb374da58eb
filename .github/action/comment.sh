#!/usr/bin/env bash
# Keeps one comment of the pull request up to date, also where there is no report: what was said of an earlier commit
# holds no longer. A token that may not write, as on a pull request from a fork, is told and changes nothing: the verdict
# stands.
set -euo pipefail

# One comment for each use of the action: jobs of one pull request must not write over each other.
use=$(printf '%s\n' "${GITHUB_WORKFLOW:-}" "${GITHUB_JOB:-}" "$INPUT_WORKING_DIRECTORY" "$INPUT_BUDGETS" "$INPUT_SERVERS" |
  { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; } | cut -c 1-16)
readonly MARK="<!-- mcp-footprint $use -->"
# GitHub takes 65,536 characters.
readonly MOST=60000

if [ -z "$PULL_REQUEST" ]; then
  echo "there is no pull request to comment"
  exit 0
fi
if [[ ! $PULL_REQUEST =~ ^[0-9]+$ ]]; then
  echo "::error::the number of the pull request is no number" >&2
  exit 1
fi

work=$(mktemp -d "$RUNNER_TEMP/comment.XXXXXX")
text=$work/text.md
if [ -n "$MARKDOWN" ]; then
  cp "$MARKDOWN" "$text"
else
  printf '## mcp-footprint: error\n\nNothing was measured, so nothing passed. The log of the job says why.\n' >"$text"
fi
# Of a text that is too long the lines that fit are shown, and what is folded open at the cut is closed.
jq -n --arg mark "$MARK" --argjson most "$MOST" --rawfile text "$text" '
  def folds(tag): [scan(tag)] | length;
  def fences: [split("\n")[] | select(test("^`{3,}"))];
  def cut: .[:$most] | split("\n")[:-1] | join("\n")
    | . + (fences | if length % 2 == 1 then "\n" + (last | match("^`+").string) else "" end)
    | . + (if folds("<details>") > folds("</details>") then "\n\n</details>" else "" end)
    | . + "\n\n…the rest is in the summary of the job.";
  {body: ($mark + "\n" + ($text | if length > $most then cut else . end))}' >"$work/body.json"

write() {
  local comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments own
  # Only a comment of a bot is ours to change: anyone can write the mark.
  own=$(gh api --paginate "$comments" |
    jq -rs --arg mark "$MARK" 'map(.[]) | map(select(.user.type == "Bot" and (.body | startswith($mark)))) | .[0].id // empty' |
    tr -d '\r') || return 1
  if [ -n "$own" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$own" --input "$work/body.json"
  else
    gh api --method POST "$comments" --input "$work/body.json"
  fi
}
if ! said=$(write 2>&1); then
  echo "::warning::the pull request was not commented; the token needs \`pull-requests: write\`"
  printf '  | %s\n' "${said//$'\n'/$'\n'  | }"
fi
