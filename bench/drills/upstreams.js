// Clients call services that never answer, that send without end, and that misdescribe what they send, beside clients
// that write. Targets: 99.9 % of the calls of others are answered, and each bad call ends with its own error.
// node bench/drills/upstreams.js [seconds 20] [lanes 4]
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, openFleet, pause } from './fleet.js';

const [seconds = '20', lanes = '4'] = process.argv.slice(2);
const chunk = Buffer.alloc(65_536, 'x');
const kinds = {
  slow: () => undefined,
  flood(response) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('"');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  /** HTML whose content type is JSON. */
  mislabelled: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
  /** Fewer bytes than its headers state. */
  short(response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"a":');
    setTimeout(() => response.destroy(), 50);
  },
  /** Not the content that the document describes. */
  other: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":"many"}'),
  /** Not gzip. */
  packed: (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('plain'),
};
const upstream = createServer((request, response) => kinds[request.url.slice(1)]?.(response));
await new Promise((ready) => upstream.listen(0, '127.0.0.1', ready));
const names = Object.keys(kinds);
const document = join(tmpdir(), `helve-upstreams-${process.pid}.json`);
const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
const get = (operationId) => ({
  get: {
    operationId,
    summary: `Get ${operationId}`,
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  },
});
writeFileSync(
  document,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Bad', version: '1' },
    servers: [{ url: `http://127.0.0.1:${upstream.address().port}` }],
    paths: Object.fromEntries(names.map((name) => [`/${name}`, get(name)])),
  }),
);
const more = `  - name: troubled
    tools: [${names.map((name) => `bad.${name}`).join(', ')}]
openapi:
  bad: { document: ${document}, base_url: "http://127.0.0.1:${upstream.address().port}" }
`;
const fleet = await openFleet({ more });
try {
  const server = await fleet.start();
  const [secret, troubled] = [await fleet.token(server), await fleet.token(server, 'troubled')];
  await pause(2_000);
  await (await loadFor(2)).stop();
  const quiet = await measure();
  const memoryBefore = residentMb(server.child.pid);
  const stop = trouble(troubled);
  const busy = await measure();
  const memory = residentMb(server.child.pid);
  const ended = await stop();
  const others = (busy.answered.length / busy.sent) * 100;
  console.log({
    'others answered, %': others.toFixed(3),
    'p99 of others without, with, ms': `${p99(quiet)}, ${p99(busy)}`,
    'calls a second of others without, with': `${rate(quiet)}, ${rate(busy)}`,
    'memory without, with, MB': `${memoryBefore.toFixed(0)}, ${memory.toFixed(0)}`,
    'bad calls and how they ended': ended,
  });
  process.exitCode = others >= 99.9 ? 0 : 1;

  async function loadFor(time) {
    const load = fleet.load(secret, Number(lanes));
    await pause(time * 1_000);
    return load;
  }

  async function measure() {
    return (await loadFor(Number(seconds))).stop();
  }

  /** Two clients for each kind of trouble. */
  function trouble(token) {
    const ends = {};
    let going = true;
    for (const name of [...names, ...names])
      void (async () => {
        while (going) {
          const reply = await callTool(server.url, token, `bad.${name}`, {}).catch((error) => ({
            code: error.message,
          }));
          const end = `${name}: ${reply.ok ? 'answered' : (reply.error?.code ?? reply.code)}`;
          ends[end] = (ends[end] ?? 0) + 1;
          await pause(100);
        }
      })();
    return async () => {
      going = false;
      // A call of one that never answers ends at its time limit.
      for (let waited = 0; waited < 90 && !Object.keys(ends).some((end) => end.startsWith('slow')); waited++)
        await pause(1_000);
      return ends;
    };
  }
} finally {
  await fleet.close();
}
process.exit();

function p99({ times }) {
  const sorted = [...times].sort((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

function rate({ times }) {
  return Math.round(times.length / Number(seconds));
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}
