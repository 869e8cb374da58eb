#!/usr/bin/env bash
# The steps of action.yml in a simulated Actions environment: a pass, a refusal, a server that cannot be measured; the
# release whose checksum is right and the one whose is not; a comment that is made once and then changed, and a token
# that may not write. `gh` is a script that records what it is asked.
#
# usage: tests/real/action.sh [BINARY]       needs jq and curl
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(realpath "${1:-target/release/mcp-footprint}")
steps=$(realpath .github/action)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/temp" "$work/server"
unset GITHUB_BASE_REF
export RUNNER_TEMP=$work/temp RUNNER_OS=Linux RUNNER_ARCH=X64 GITHUB_ACTIONS=true GITHUB_REPOSITORY=owner/name
export GITHUB_SHA=0123456789abcdef GITHUB_REF=refs/pull/7/merge
export GITHUB_PATH=$work/path GITHUB_OUTPUT=$work/output GITHUB_STEP_SUMMARY=$work/summary GITHUB_ACTION_PATH=$PWD

fail() { echo "FAIL  $1"; [ ! -f "$work/said" ] || sed 's/^/    /' "$work/said"; exit 1; }
run() { # run STATUS SCRIPT
  local status=0
  "$steps/$2" >"$work/said" 2>&1 || status=$?
  [ "$status" -eq "$1" ] || fail "$2: exit $status, expected $1"
}
output() { grep -q "^$1=$2$" "$GITHUB_OUTPUT" || { cp "$GITHUB_OUTPUT" "$work/said"; fail "no output $1=$2"; }; }
said() { grep -qF -- "$1" "$work/said" || fail "nothing says: $1"; }

# A release as the workflow makes it.
archive=mcp-footprint-x86_64-unknown-linux-musl.tar.gz
mkdir -p "$work/releases/v0.1.0"
tar -czf "$work/releases/v0.1.0/$archive" -C "$(dirname "$binary")" "$(basename "$binary")"
(cd "$work/releases/v0.1.0" && sha256sum "$archive" >SHA256SUMS)
export RELEASES=file://$work/releases INPUT_VERSION=0.1.0
run 0 install.sh
PATH=$(cat "$GITHUB_PATH"):$work/bin:$PATH
[ "$(command -v mcp-footprint)" = "$work/temp/mcp-footprint-bin/mcp-footprint" ] || fail "the release is not on the path"
echo "ok    a release with the right checksum is installed"
sed -i 's/^[0-9a-f]/x/' "$work/releases/v0.1.0/SHA256SUMS"
run 1 install.sh
said "checksum"
# shellcheck disable=SC2016 # it must not expand
INPUT_VERSION='0.1.0$(touch injected)' run 1 install.sh
INPUT_VERSION=0.9.9 run 1 install.sh
said "::error::there is no release 0.9.9"
RELEASES=https://github.com//releases/download run 1 install.sh
said "use version: source"
echo "ok    a release with another checksum is not, nor a version that is none, nor one of nobody"

cd "$work/server"
tools() { printf '[{"name":"add_note","description":"%s"}]\n' "$1" >tools.json; }
tools "Add a note."
mcp-footprint init --quiet --name "my notes" --from tools.json >/dev/null
export INPUT_WORKING_DIRECTORY=$work/server INPUT_BUDGETS='' INPUT_SERVERS=$'my notes\n' INPUT_BASE=auto INPUT_AGAINST=''
export INPUT_MEASURE_BASE=false
: >"$GITHUB_OUTPUT"
run 0 check.sh
output status 0
output verdict pass
output difference 0
echo "ok    pass: the outputs are set"

tools "Add a note. $(printf 'It keeps everything that was ever said about it. %.0s' {1..20})"
: >"$GITHUB_OUTPUT"
run 0 check.sh
output status 1
output verdict refused
output difference '+[0-9]*'
said "::error file=budgets.toml"
grep -q FLOOR_BUDGET_EXCEEDED "$GITHUB_STEP_SUMMARY" || fail "the summary does not tell the reason"
for format in json markdown sarif; do
  [ -s "$(sed -n "s/^$format=//p" "$GITHUB_OUTPUT")" ] || fail "there is no $format"
done
MARKDOWN=$(sed -n 's/^markdown=//p' "$GITHUB_OUTPUT") SARIF=$(sed -n 's/^sarif=//p' "$GITHUB_OUTPUT")
export MARKDOWN SARIF PULL_REQUEST=7
echo "ok    refusal: annotations, summary, outputs and three documents from one run"

cat >"$work/bin/gh" <<'GH'
#!/usr/bin/env bash
# Answers as the state in $GH_STATE says, and records every request that writes.
[ ! -e "$GH_STATE/forbidden" ] || { echo "gh: Resource not accessible by integration (HTTP 403) ::error::x" >&2; exit 1; }
if [ "$2" = --paginate ]; then cat "$GH_STATE/comments.json"; exit; fi
echo "$*" >>"$GH_STATE/requests"
cp "${@: -1}" "$GH_STATE/body.json"
echo '{"id":1}'
GH
chmod +x "$work/bin/gh"
export GH_STATE=$work/gh
mkdir "$GH_STATE"
echo '[]' >"$GH_STATE/comments.json"
run 0 comment.sh
mark=$(jq -r '.body | split("\n")[0]' "$GH_STATE/body.json")
jq -n --arg mark "$mark" '[{id: 5, user: {type: "User"}, body: ($mark + " not ours")}]' >"$GH_STATE/comments.json"
rm "$GH_STATE/requests"
run 0 comment.sh
grep -q -- '--method POST repos/owner/name/issues/7/comments' "$GH_STATE/requests" || fail "no comment was made"
jq -e '.body | startswith("<!-- mcp-footprint ") and contains("FLOOR_BUDGET_EXCEEDED")' "$GH_STATE/body.json" \
  >/dev/null || fail "the comment is not the report"
jq '[{id: 9, user: {type: "Bot"}, body: .body}]' "$GH_STATE/body.json" >"$GH_STATE/comments.json"
run 0 comment.sh
grep -q -- '--method PATCH repos/owner/name/issues/comments/9' "$GH_STATE/requests" || fail "it was not kept up to date"
rm "$GH_STATE/requests"
INPUT_WORKING_DIRECTORY=elsewhere run 0 comment.sh
grep -q -- '--method POST' "$GH_STATE/requests" || fail "two uses of the action share one comment"
run 0 sarif.sh
jq -r .sarif "$GH_STATE/body.json" | base64 -d | gunzip | jq -e '.version == "2.1.0"' >/dev/null || fail "no SARIF"
echo "ok    one comment is made and then changed, and SARIF is uploaded"
rm "$GH_STATE/requests"
touch "$GH_STATE/forbidden"
for step in comment.sh sarif.sh; do
  run 0 "$step"
  said "::warning::"
  ! grep -q '^::error' "$work/said" || fail "$step: what the service says became a command"
done
[ ! -e "$GH_STATE/requests" ] || fail "something was written without permission"
echo "ok    a token that may not write is told, and the verdict stands"

repository() { git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main "$@" >/dev/null 2>&1; }
repository init
tools "Add a note."
repository add --all
repository commit --message base
tools "Add a note, and more."
repository add --all
repository commit --message change
: >"$GITHUB_OUTPUT"
INPUT_BASE=HEAD~1 INPUT_MEASURE_BASE=true run 0 check.sh
said "this change: against"
grep -q 'This change: +3 tokens' "$(sed -n 's/^markdown=//p' "$GITHUB_OUTPUT")" || fail "the report does not tell the sum"
echo "ok    the base commit is measured in a work tree, and the difference is told"
[ "$(git worktree list | wc -l)" -eq 1 ] || fail "a work tree of the base is left"
echo "ok    the work tree of the base is removed"
for budgets in budgets.toml "$PWD/budgets.toml" ../server/budgets.toml; do
  : >"$GITHUB_OUTPUT"
  INPUT_BUDGETS=$budgets INPUT_BASE=HEAD~1 INPUT_MEASURE_BASE=true run 0 check.sh
  grep -q 'This change: +3 tokens' "$(sed -n 's/^markdown=//p' "$GITHUB_OUTPUT")" || fail "$budgets: another sum"
done
cp budgets.toml tools.json "$work"
INPUT_BUDGETS=$work/budgets.toml INPUT_BASE=none run 0 check.sh
INPUT_BUDGETS=$work/budgets.toml INPUT_BASE=HEAD~1 INPUT_MEASURE_BASE=true run 0 check.sh
said "::warning::the base commit could not be measured"
echo "ok    the base is measured by its own budgets file, whatever path names it"
INPUT_BASE=nowhere INPUT_MEASURE_BASE=true run 0 check.sh
said "::warning::the base commit could not be measured"
output verdict error
echo "ok    a base that is unknown is an error"

printf '\n[servers.other]\nfrom = "other.json"\nfloor = { budget = 99, slack = 99 }\ndescriptions = { budget = 99, slack = 99 }\n' \
  >>budgets.toml
: >"$GITHUB_OUTPUT"
INPUT_SERVERS='' run 0 check.sh
output status 3
output verdict not_measured
for figure in floor descriptions difference; do output "$figure" ''; done
echo "ok    not measured is no pass, and no part of a sum is a figure"
echo "x = <<<" >budgets.toml
: >"$GITHUB_OUTPUT"
run 0 check.sh
output status 2
output verdict error
for figure in floor descriptions difference; do output "$figure" ''; done
said "::error file=budgets.toml,line=1,title=mcp-footprint::"
rm "$GH_STATE/forbidden"
MARKDOWN=$(sed -n 's/^markdown=//p' "$GITHUB_OUTPUT") run 0 comment.sh
jq -e '.body | contains("## mcp-footprint: error") and contains("budgets.toml:1:")' "$GH_STATE/body.json" >/dev/null ||
  fail "the comment does not tell the error"
MARKDOWN='' run 0 comment.sh
jq -e '.body | contains("Nothing was measured, so nothing passed.")' "$GH_STATE/body.json" >/dev/null ||
  fail "the comment keeps what it said"
echo "ok    a broken budgets.toml is an error, with no figures, and the comment says so"
: >"$GITHUB_OUTPUT"
INPUT_WORKING_DIRECTORY=$work/missing run 0 check.sh
output status 2
output verdict error
said "::error::the working directory"
echo "ok    a working directory that is missing is an error"
{
  printf '<details>\n<summary>rows</summary>\n\n'
  for row in {1..3000}; do printf '| tool_%04d | 日本語のツール | 1 |\n' "$row"; done
  printf '</details>\n'
} >"$work/long.md"
MARKDOWN=$work/long.md run 0 comment.sh
jq -e '.body | length < 65536 and endswith("| 1 |\n\n</details>\n\n…the rest is in the summary of the job.")' \
  "$GH_STATE/body.json" >/dev/null || fail "a long comment is cut in the middle"
{
  for row in {1..1000}; do printf 'row %04d of the report\n' "$row"; done
  printf '````text\n'
  for row in {1..3000}; do printf 'line %04d of a command\n' "$row"; done
} >"$work/fenced.md"
MARKDOWN=$work/fenced.md run 0 comment.sh
jq -e '.body | endswith("of a command\n````\n\n…the rest is in the summary of the job.")' "$GH_STATE/body.json" >/dev/null ||
  fail "a fence is left open"
echo "ok    a long comment is cut between lines, and what was folded is closed"
for place in "$work/server" "$OLDPWD"; do
  [ ! -e "$place/injected" ] || fail "an input ran as a command"
done
