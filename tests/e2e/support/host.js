/**
 * A separate Helve process with one tool that has effects and ends on command. Prints a line of JSON for each
 * event; reads `call`, `finish` and `end`.
 */
import { createInterface } from 'node:readline';
import { createHelve } from 'helve';

const { database, vaultKeys, heartbeatMs } = JSON.parse(process.env.HOST ?? '{}');
const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

let finish = () => undefined;
const slow = {
  name: 'slow',
  title: 'Slow',
  description: 'Ends when it is told',
  capabilities: [],
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  timeoutMs: 60_000,
  execute: () =>
    new Promise((resolve) => {
      finish = () => resolve({ done: true });
      tell({ event: 'running' });
    }),
};

const helve = await createHelve({
  database,
  vaultKeys,
  heartbeatMs,
  tools: [slow],
  nativeToolkits: [],
  reportError: (error) => tell({ event: 'log', text: String(error) }),
});
await helve.setUp();
tell({ event: 'ready', at: new Date().toISOString() });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'call')
    helve
      .execute({ principal: { agent: 'first' }, tool: 'custom.slow', input: {} })
      .then((result) => tell({ event: 'result', ok: result.ok, code: result.error?.code }));
  if (line === 'finish') finish();
  if (line === 'end') break;
}
await helve.close();
process.exit();
