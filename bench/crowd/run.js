// What other callers notice during many faults at the same time: an MCP server that floods, clients that read slowly, an agent
// that writes to a full disk, and one with a wrong token, all behind one reverse proxy. Measures two signed-in people who read
// the record and an agent that calls `calculate`, alternately alone and in the crowd. Target: p99 in the crowd below twice
// p99 alone.
//   node bench/crowd/run.js [rounds] [seconds a round] [flood,disk,token,readers]
// Run it as root: it mounts a small disk, which it fills.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ask, closeConnections, toolCall } from './client.js';

const [rounds = 5, seconds = 4] = process.argv.slice(2, 4).map(Number);
const troubles = (process.argv[4] ?? 'flood,disk,token,readers').split(',');
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = here('../../bin/helve.js');
const data = mkdtempSync(join(tmpdir(), 'helve-crowd-'));
const disk = mkdtempSync(join(tmpdir(), 'helve-crowd-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
writeFileSync(
  join(data, 'helve.yaml'),
  `agents:
  - { name: desk, tools: [calculate] }
  - name: writer
    tools: [write_file]
    tool_config: { write_file: { allowed_paths: ["${disk}/**"] } }
  - { name: flooder, tools: [floods.flood] }
mcp_servers:
  floods: { command: ${JSON.stringify(process.execPath)}, args: ["${here('flooding-server.js')}"] }
limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }
`,
);

const children = [];
const helve = (...args) => execFileSync(process.execPath, [program, ...args, '--data', data], { encoding: 'utf8' });

/** Starts a program and waits until `ready` matches its output. */
function start(args, ready, env = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = ready.exec(text);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}: ${text}`)));
  });
}

const port = Number(
  await start([program, 'serve', '--port', '0', '--data', data], /127\.0\.0\.1:(\d+)/, {
    HELVE_TRUSTED_PROXIES: '127.0.0.1',
  }),
);
const proxy = Number(await start([here('proxy.js'), String(port)], /(\d+)/));
const host = `127.0.0.1:${port}`;

async function signIn() {
  const token = /token=(\S+)/.exec(helve('admin'))[1];
  const { headers, status } = await ask(proxy, {
    method: 'POST',
    path: '/admin/login',
    headers: { host, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${encodeURIComponent(token)}`,
  });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0];
  if (!cookie) throw new Error(`Signing in was answered with ${status}`);
  return { host, cookie };
}

const tokenOf = (agent) => /helve_agent_\S+/.exec(helve('agents', 'token', agent))[0];
const call = (token, tool, input) => ask(proxy, toolCall(host, token, tool, input));

const people = [await signIn(), await signIn()];
const [desk, writer, flooder] = ['desk', 'writer', 'flooder'].map(tokenOf);

/** The measured clients. Each sends one request after another with a short pause, as people and agents do. */
const others = {
  'first person': async () => expectOk(await ask(proxy, { path: '/api/audit?limit=20', headers: people[0] })),
  'second person': async () => expectOk(await ask(proxy, { path: '/api/agents', headers: people[1] })),
  agent: async () => expectOk(await call(desk, 'calculate', { expression: '6*7' })),
};

function expectOk({ status, text }) {
  if (status !== 200) throw new Error(`Answered with ${status}: ${text}`);
}

async function measureOthers() {
  const end = performance.now() + seconds * 1_000;
  const times = {};
  await Promise.all(
    Object.entries(others).map(async ([name, work]) => {
      times[name] = [];
      while (performance.now() < end) {
        const since = performance.now();
        await work();
        times[name].push(performance.now() - since);
        await pause(5);
      }
    }),
  );
  return times;
}

/**
 * Starts all the trouble in a separate process, so that the work of its clients does not add to the measured times.
 * Returns a function that stops it and returns how often each thing happened.
 */
async function startCrowd() {
  const setting = { proxy, host, disk, writer, flooder, cookie: people[0].cookie, troubles };
  const crowd = spawn(process.execPath, [here('crowd.js'), JSON.stringify(setting)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(crowd);
  crowd.stdout.setEncoding('utf8');
  await once(crowd.stdout, 'data');
  return async () => {
    const counted = once(crowd.stdout, 'data');
    crowd.stdin.end();
    return (await counted)[0].trim();
  };
}

const at = (values, share) => values.sort((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
const median = (values) => at(values, 0.5);

try {
  await measureOthers();
  const alone = {};
  const crowded = {};
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await measureOthers();
    const stop = await startCrowd();
    const busy = await measureOthers();
    console.error(await stop());
    await pause(1_500);
    for (const name of Object.keys(others)) {
      for (const [table, times] of [
        [alone, quiet],
        [crowded, busy],
      ])
        for (const share of [0.5, 0.99]) {
          table[name] ??= {};
          table[name][share] = [...(table[name][share] ?? []), at(times[name], share)];
        }
    }
  }
  console.table(
    Object.fromEntries(
      Object.keys(others).map((name) => [
        name,
        {
          'p50 alone': median(alone[name][0.5]).toFixed(1),
          'p50 in the crowd': median(crowded[name][0.5]).toFixed(1),
          'p99 alone': median(alone[name][0.99]).toFixed(1),
          'p99 in the crowd': median(crowded[name][0.99]).toFixed(1),
          ratio: (median(crowded[name][0.99]) / median(alone[name][0.99])).toFixed(2),
        },
      ]),
    ),
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  closeConnections();
  execFileSync('umount', ['-l', disk]);
  for (const folder of [data, disk]) rmSync(folder, { recursive: true, force: true });
}
