#!/usr/bin/env bash
# Looks at documents with other people's eyes: pages in a headless Chromium with axe-core, SARIF against its schema,
# budgets files in taplo, which is what editors complete and check TOML with.
#
# The documents are those of hand-made reports, written by `cargo test --test render`; the tools that read them come
# from the npm registry at exact versions (documents/package-lock.json) into target/real/documents/.
#
# usage: tests/real/documents.sh      needs cargo, node with npm, python3 with venv; as root on Debian it installs chromium
set -euo pipefail
cd "$(dirname "$0")/../.."

into=target/real/documents

if ! command -v chromium google-chrome >/dev/null; then
  [ "$(id -u)" -eq 0 ] || { echo "please install: chromium" >&2; exit 1; }
  apt-get update --quiet
  DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends chromium fonts-dejavu-core
fi
mkdir -p "$into"
cp tests/real/documents/package.json tests/real/documents/package-lock.json "$into/"
npm ci --prefix "$into" --ignore-scripts --no-audit --no-fund --loglevel=error

rm -rf target/tmp/documents
cargo test --locked --quiet --test render written_for_other_programs
cargo test --locked --quiet --test samples shown_as_it_is_written

node tests/real/documents/sarif.mjs "$into" target/tmp/documents/*.sarif
node tests/real/documents/page.mjs "$into" target/tmp/documents "$into/shots" "$(command -v chromium google-chrome | head -n 1)"

venv=target/real/taplo
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: taplo==0.9.3
"$venv/bin/taplo" lint budgets.toml fixtures/samples/budgets.toml 2>"$into/taplo" || { cat "$into/taplo"; exit 1; }
echo "ok    taplo finds nothing in budgets files that name their schema"
sed "s|^#:schema .*|#:schema file://$PWD/fixtures/schema/budgets.schema.json|; s/^slack/slak/" budgets.toml >"$into/wrong.toml"
if "$venv/bin/taplo" lint "$into/wrong.toml" 2>"$into/taplo" || ! grep -q "'slak' was unexpected" "$into/taplo"; then
  echo "FAIL  taplo does not find a key that no budgets file has"
  cat "$into/taplo"
  exit 1
fi
echo "ok    taplo finds a key that no budgets file has"
