/** A separate Helve process: opens the store, prints `ready`, and for each line `go <calls>` prints the results of that many calls. */
import { createInterface } from 'node:readline';
import { createHelve } from 'helve';

const { database, dataDir, config } = JSON.parse(process.env.CALLER ?? '{}');
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const vendor = {
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [
      { id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'vendor', scopes: ['openid', 'offline_access'] },
    ],
  },
  service: { servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }) },
  load: async () => [
    {
      name: 'who_am_i',
      title: 'Who am I',
      description: 'Whose account this is',
      capabilities: ['get account'],
      inputSchema: { type: 'object' },
      settingsSchema: { type: 'object' },
      annotations: hints,
      timeoutMs: 120_000,
      execute: async (_, { service }) => service.json({ path: '/me' }),
    },
  ],
};

const helve = await createHelve({
  database,
  dataDir,
  config,
  toolkits: [vendor],
  limits: { perIp: null, perPrincipal: null, perTool: null },
});
process.stdout.write('ready\n');

for await (const line of createInterface({ input: process.stdin })) {
  const calls = Number(line.split(' ')[1] ?? 1);
  const results = await Promise.all(
    Array.from({ length: calls }, () =>
      helve.execute({ principal: { agent: 'tester' }, tool: 'work__who_am_i', input: {} }),
    ),
  );
  const failures = results.flatMap((result) => (result.ok ? [] : [result.error]));
  process.stdout.write(`${JSON.stringify({ answered: results.length - failures.length, failures })}\n`);
}
await helve.close();
