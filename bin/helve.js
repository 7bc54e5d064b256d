#!/usr/bin/env node
// The command line. It needs the built code: `npm ci` builds it; with install scripts off, `npm run build` does.
import { existsSync } from 'node:fs';

const main = new URL('../dist/surfaces/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('Helve is not built yet. Run: npm run build');
  process.exitCode = 1;
}
