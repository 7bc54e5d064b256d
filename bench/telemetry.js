// The cost of counting one call: ns of CPU for `callEnded`, whose share of a whole call bench/in-process.js gives.
import { createCounts } from '../dist/telemetry/index.js';

const calls = 3_000_000;
const kinds = ['native', 'openapi', 'mcp', 'composio'];
const codes = ['none', 'not_granted', 'timeout', 'rate_limited', 'tool_failed'];
const counts = createCounts();
const seen = [];
for (let round = 0; round < 9; round++) {
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at++) {
    const code = codes[at % codes.length];
    counts.callEnded({
      kind: kinds[at % kinds.length],
      outcome: code === 'none' ? 'ok' : 'refused',
      code,
      milliseconds: (at % 400) / 4,
    });
  }
  const { user, system } = process.cpuUsage(before);
  seen.push(((user + system) * 1_000) / calls);
}
seen.sort((one, other) => one - other);
console.log({ 'ns a call': seen[4].toFixed(0), 'least seen': seen[0].toFixed(0), 'most seen': seen[8].toFixed(0) });
