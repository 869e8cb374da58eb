#!/usr/bin/env bash
# Looks at documents with other people's eyes: pages in a headless Chromium with axe-core, SARIF against its schema.
#
# The documents are those of hand-made reports, written by `cargo test --test render`; the tools that read them come
# from the npm registry at exact versions (documents/package-lock.json) into target/real/documents/.
#
# usage: tests/real/documents.sh      needs cargo and node with npm; as root on Debian it installs chromium
set -euo pipefail
cd "$(dirname "$0")/../.."

into=target/real/documents

if ! command -v chromium >/dev/null; then
  [ "$(id -u)" -eq 0 ] || { echo "please install: chromium" >&2; exit 1; }
  apt-get update --quiet
  DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends chromium fonts-dejavu-core
fi
mkdir -p "$into"
cp tests/real/documents/package.json tests/real/documents/package-lock.json "$into/"
npm ci --prefix "$into" --ignore-scripts --no-audit --no-fund --loglevel=error

rm -rf target/tmp/documents
cargo test --locked --quiet --test render written_for_other_programs

node tests/real/documents/sarif.mjs "$into" target/tmp/documents/*.sarif
node tests/real/documents/page.mjs "$into" target/tmp/documents "$into/shots"
