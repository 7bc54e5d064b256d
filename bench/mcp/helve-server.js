// The measured server: `helve serve`, without limits, because a benchmark makes too many calls for any limit.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const data = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
writeFileSync(join(data, 'helve.yaml'), 'limits: { per_ip: null, per_principal: null, per_tool: null }\n');
const program = fileURLToPath(new URL('../../bin/helve.js', import.meta.url));
const environment = { PATH: process.env.PATH };
if (process.env.HELVE_DATABASE_URL) environment.HELVE_DATABASE_URL = process.env.HELVE_DATABASE_URL;
const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', data], {
  env: environment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let text = '';
child.stdout.on('data', (chunk) => {
  text += chunk;
  const url = /MCP\s+(\S+)/.exec(text)?.[1];
  const token = /Agent token\s+(helve_agent_\S+)/.exec(text)?.[1];
  if (!url || !token || !/Stop with/.test(text)) return;
  text = '';
  console.log(
    JSON.stringify({ url, token, data, pid: child.pid, key: JSON.parse(readFileSync(join(data, 'cli.json'), 'utf8')) }),
  );
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 0));
