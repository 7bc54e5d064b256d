// Clients that hold a stream of live events open and do nothing, beside clients that call. Reports how many streams are
// open, how much memory each takes, and how much they slow down the calls. The streams are those of an agent that may
// not see these calls; with --busy those of the admin, who receives every row. node bench/drills/idle-streams.js
// [streams 10000] [seconds 20] [lanes 4] [--busy] Each stream takes a descriptor here and one in the server: `ulimit
// -n` must be more than twice their number, or raise it.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { callTool, openFleet, pause } from './fleet.js';

const [streams = '10000', seconds = '20', lanes = '4'] = process.argv.slice(2).filter((word) => word !== '--busy');
const fleet = await openFleet({ more: '  - name: watcher\n    tools: [calculate]\n' });
try {
  const server = await fleet.start();
  const secret = await fleet.token(server);
  const key = process.argv.includes('--busy')
    ? JSON.parse(readFileSync(`${server.data}/cli.json`, 'utf8')).key
    : await fleet.token(server, 'watcher');
  await measure();
  const quiet = await measure();
  const memoryBefore = residentMb(server.child.pid);
  const open = await openStreams(Number(streams));
  await pause(3_000);
  const memoryAfter = residentMb(server.child.pid);
  const busy = await measure();
  console.log({
    'streams asked for, open': `${streams}, ${open.filter(({ status }) => status === 200).length}`,
    'other answers': [...new Set(open.map(({ status }) => status))].filter((status) => status !== 200).join(' '),
    'memory without, with, MB': `${memoryBefore.toFixed(0)}, ${memoryAfter.toFixed(0)}`,
    'KB a stream': (((memoryAfter - memoryBefore) * 1_024) / Number(streams)).toFixed(1),
    'still open at the end': open.filter(({ closed }) => !closed).length,
    'calls a second without, with': `${quiet.rate.toFixed(0)}, ${busy.rate.toFixed(0)}`,
    'p99 without, with, ms': `${quiet.p99.toFixed(0)}, ${busy.p99.toFixed(0)}`,
    'failed calls': quiet.failed + busy.failed,
  });
  for (const { request } of open) request?.destroy();

  async function openStreams(count) {
    const results = [];
    const agent = new http.Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
    for (let start = 0; start < count; start += 100)
      results.push(
        ...(await Promise.all(Array.from({ length: Math.min(100, count - start) }, () => openStream(agent)))),
      );
    return results;
  }

  function openStream(agent) {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${key}` };
      const stream = { status: 0, closed: false };
      stream.request = http.get(`${server.url}/api/events`, { agent, headers }, (response) => {
        stream.status = response.statusCode;
        response.resume();
        response.once('close', () => (stream.closed = true));
        resolve(stream);
      });
      stream.request.once('error', (error) => {
        stream.closed = true;
        stream.status ||= error.code;
        resolve(stream);
      });
    });
  }

  async function measure() {
    const times = [];
    let failed = 0;
    const end = performance.now() + Number(seconds) * 1_000;
    await Promise.all(
      Array.from({ length: Number(lanes) }, async () => {
        while (performance.now() < end) {
          const since = performance.now();
          const reply = await callTool(server.url, secret, 'calculate', { expression: '6*7' }).catch(() => ({}));
          if (!reply.ok) failed += 1;
          times.push(performance.now() - since);
        }
      }),
    );
    times.sort((one, other) => one - other);
    return { rate: times.length / Number(seconds), p99: times[Math.floor(times.length * 0.99)] ?? 0, failed };
  }
} finally {
  await fleet.close();
}
process.exit();

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}
