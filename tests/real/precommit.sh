#!/usr/bin/env bash
# The hooks in the real pre-commit from PyPI, in a temporary repository: passes, refuses, passes after the pin.
#
# The hooks that compile are compiled by pre-commit as a user's would be, but without optimisation and into a folder
# that the next run finds again; the hook that does not runs the binary given.
#
# usage: tests/real/precommit.sh [BINARY]       needs cargo and its registry, git, and python3 with venv
set -euo pipefail
cd "$(dirname "$0")/../.."

binary=$(realpath "${1:-target/release/mcp-footprint}")
project=$(pwd)
venv=$(pwd)/target/real/pre-commit
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: pre-commit==4.3.0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/hooks" "$work/repository"
ln -s "$binary" "$work/bin/mcp-footprint"
export PATH="$work/bin:$venv/bin:$PATH" PRE_COMMIT_HOME="$work/home"
export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_SYSTEM=/dev/null
git config --global user.name tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main

expect() { # expect STATUS WORDS COMMAND…
  local status=0 said
  said=$("${@:3}" 2>&1) || status=$?
  if [ "$status" -ne "$1" ] || [[ $said != *"$2"* ]]; then
    printf 'FAIL  %s: exit %s, expected %s with "%s"\n%s\n' "${*:3}" "$status" "$1" "$2" "$said"
    exit 1
  fi
}

export CARGO_TARGET_DIR=$project/target/real/pre-commit-build CARGO_PROFILE_RELEASE_OPT_LEVEL=0
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_STRIP=false

pre-commit validate-manifest .pre-commit-hooks.yaml
git ls-files -z | xargs -0 tar -c | tar -x -C "$work/hooks"
git -C "$work/hooks" init --quiet
git -C "$work/hooks" add --all
git -C "$work/hooks" commit --quiet --message hooks

cd "$work/repository"
git init --quiet
tools() { # tools DESCRIPTION
  printf '[{"name":"add_note","description":"%s","inputSchema":{"type":"object"}}]\n' "$1" >tools.json
}
tools "Add a note."
expect 0 "added with floor" mcp-footprint init --name notes --from tools.json
cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $work/hooks
    rev: $(git -C "$work/hooks" rev-parse HEAD)
    hooks:
      - id: mcp-footprint
      - id: mcp-footprint-system
      - id: mcp-footprint-pin
        stages: [manual]
CONFIG
git add --all

began=$SECONDS
expect 0 "installed" pre-commit install --install-hooks
echo "ok    compiles ($((SECONDS - began)) s)"
expect 0 "Passed" git commit --message "a server and its budget"
expect 0 "mcp-footprint check (installed)" pre-commit run --all-files
echo "ok    passes"

tools "Add a note. $(printf 'It keeps everything that was ever said about it. %.0s' {1..20})"
git add --all
expect 1 "FLOOR_BUDGET_EXCEEDED" git commit --message "a longer description"
echo "ok    refuses what grew"

expect 1 "--raise" pre-commit run --hook-stage manual mcp-footprint-pin
git diff --quiet -- budgets.toml || { echo "FAIL  the pin hook raised a budget"; exit 1; }
echo "ok    the pin hook never raises"

expect 0 "written" mcp-footprint pin --raise --reason "the description says more"
git add --all
expect 0 "Passed" git commit --message "a longer description, with its reason"
echo "ok    passes after the pin"

tools "Add a note."
git add --all
expect 1 "FLOOR_BUDGET_STALE" git commit --message "a win that nobody banked"
expect 1 "files were modified by this hook" pre-commit run --hook-stage manual mcp-footprint-pin
git add --all
expect 0 "Passed" git commit --message "a win"
echo "ok    the pin hook banks what shrank"

rm .pre-commit-config.yaml
expect 0 "written" mcp-footprint init --write pre-commit
git add --all
expect 0 "Passed" git commit --message "the ready file"
echo "ok    the file of init --write passes"
