#!/usr/bin/env node
// The command line. It runs what is built and never builds: `npm start` and `npm run build` do.
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// V8 compiles the engine of programs a second time in each thread, early by default. That takes 0.2 s of processor time and makes
// programs 8 % faster, so it does so as late as it can (src/util/sandbox/worker.ts).
setFlagsFromString('--wasm-tiering-budget=2147483647');

// V8 allocates objects directly in its old space where many earlier ones survived. For the objects of a call that keeps the whole answer in
// memory until a full collection: an answer of 8 KB over MCP left 34 KB behind, and leaves 24 KB with this flag.
setFlagsFromString('--no-allocation-site-pretenuring');

// Without the tools that join modules there are only the single ones (scripts/build-bundle.js).
const built = ['../dist/bundle/command-line.js', '../dist/surfaces/cli/main.js'];
const main = built.map((path) => new URL(path, import.meta.url)).find((address) => existsSync(address));
if (main) await import(main.href);
else {
  console.error('error: Helve is not built yet\nhint:  Run npm start, which builds it and serves, or npm run build');
  process.exitCode = 1;
}
