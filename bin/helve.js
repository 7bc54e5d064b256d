#!/usr/bin/env node
// The command line. It runs what is built and never builds: `npm start` and `npm run build` do.
import { existsSync } from 'node:fs';

const main = new URL('../dist/surfaces/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('error: Helve is not built yet\nhint:  Run npm start, which builds it and serves, or npm run build');
  process.exitCode = 1;
}
