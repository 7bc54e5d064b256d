// One process of restart.js: `fill` puts the catalogue into a store, `search` searches once and reports how long that
// took.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fromDist } from './dist.js';

const [, , act, dataDir, address] = process.argv;
const query = 'start a new Airtable base';
const { createHelve } = await fromDist('helve.js');
const helve = await createHelve({ dataDir, config: `composio:\n  api_key: ak_test\n  base_url: ${address}\n` });
const { workspaceId } = await helve.ensureWorkspace('default');
const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));

if (act === 'fill') {
  const { job } = await helve.plane.synchronise(principal, { kind: 'full' });
  let last = job;
  for await (const state of helve.plane.followSync(principal, job.id, new AbortController().signal)) last = state;
  process.send(last.status);
} else {
  const opened = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const found = await helve.plane.searchTools(principal, { query });
  const firstSearch = performance.now();
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  const { indexed } = await helve.plane.discoveryStats(principal);
  process.send({
    opened,
    firstSearch,
    cpuOfSearch: (user + system) / 1_000,
    longestTurn: delay.max / 1e6,
    indexed: indexed.tools,
    answer: JSON.stringify(found),
  });
}
await helve.close();
process.disconnect();
