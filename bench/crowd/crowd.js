// All the faults at the same time: `node crowd.js <setting as JSON>`. Runs until its input ends, then prints what happened.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, closeConnections, toolCall } from './client.js';

const { proxy, host, disk, writer, flooder, cookie, troubles } = JSON.parse(process.argv[2]);
const call = (token, tool, input) => ask(proxy, toolCall(host, token, tool, input));
const counts = { flooded: 0, 'cut off': 0, 'disk full': 0, 'wrong token': 0, 'slow readers': 0 };
let going = true;

/** The faults, each with its interval in milliseconds. */
const work = {
  flood: [
    1_000,
    async () => {
      const { text } = await call(flooder, 'floods__flood', {});
      counts[JSON.parse(text).ok ? 'flooded' : 'cut off'] += 1;
    },
  ],
  disk: [
    20,
    async () => {
      const { text } = await call(writer, 'write_file', { path: `${disk}/file`, content: 'x'.repeat(100_000) });
      if (/no room/i.test(text)) counts['disk full'] += 1;
    },
  ],
  token: [
    20,
    async () => {
      const { status } = await call('helve_agent_wrong', 'calculate', { expression: '1' });
      if (status === 401 || status === 429) counts['wrong token'] += 1;
    },
  ],
};

async function repeat(everyMs, act) {
  while (going) {
    await act();
    await pause(everyMs);
  }
}

const lanes = troubles.filter((trouble) => trouble in work).map((trouble) => repeat(...work[trouble]));
const readers = Array.from({ length: troubles.includes('readers') ? 10 : 0 }, () => {
  counts['slow readers'] += 1;
  const socket = connect(proxy, '127.0.0.1');
  socket.write(`GET /api/audit/export HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  socket.pause();
  const timer = setInterval(() => socket.read(64), 250);
  return { socket, timer };
});

process.stdin.resume().once('end', async () => {
  going = false;
  for (const { socket, timer } of readers) {
    clearInterval(timer);
    socket.destroy();
  }
  await Promise.all(lanes);
  console.log(JSON.stringify(counts));
  closeConnections();
});
console.log('ready');
