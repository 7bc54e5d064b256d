/** Issues with the machines of tasks and scripted agents, while the processes that drive them are killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { openStorage } from '../../src/storage/index.js';
import { machines } from '../../src/tasks/index.js';
import { compileProgram } from '../../src/testing/child-program.js';
import { killWhileIssuesAreDone } from '../../src/testing/issue-kills.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { workspace } from '../../src/testing/storage-fixtures.js';

const program = compileProgram({
  folders: ['domain', 'util', 'audit', 'storage', 'actors', 'tasks', 'testing/issue-child.ts'],
  program: `
import { createEmbeddedActorHost, createPersistence } from './actors/index.js';
import { seal } from './audit/index.js';
import { openStorage } from './storage/index.js';
import { machines, persistenceWaits } from './tasks/index.js';
import { workOnIssues } from './testing/issue-child.js';
const [location, counterpart] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
const isAlive = async (id) => {
  try {
    return process.kill(Number(id), 0);
  } catch {
    return false;
  }
};
const { host, start } = createEmbeddedActorHost({
  storage,
  machines,
  persistence: createPersistence({ storage, waits: persistenceWaits }),
  instance: { id: String(process.pid), isAlive },
  report: (error) => console.error(error),
});
workOnIssues(host, counterpart);
await start();
console.log('open');
setInterval(() => undefined, 60_000);
`,
});
const folder = await mkdtemp(join(tmpdir(), 'helve-issue-kills-'));
let server: Promise<TestPostgres> | undefined;
const postgres = (): Promise<TestPostgres> => {
  server ??= startPostgres();
  return server;
};
afterAll(async () => {
  await (await server)?.stop();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ['SQLite', 50, 20],
  ['PostgreSQL', 20, 6],
] as const)(
  'R-machines: on %s %i issues end right under %i kills: nothing lost, doubled or out of order',
  {
    timeout: 180_000,
  },
  async (store, issues, kills) => {
    const location = store === 'SQLite' ? join(folder, 'store.db') : await (await postgres()).storeUrl();
    const storage = await openStorage({ location, seal });
    await storage.system.createWorkspace(workspace('w'), []);
    const { problems, ...report } = await killWhileIssuesAreDone({
      storage,
      workspaceId: 'w',
      machine: machines.issue,
      program: { folder: await program.folder(), parameters: ['main.js', location] },
      issues,
      kills,
    });
    await storage.close();
    expect(problems).toEqual([]);
    expect(report.longestGapMs).toBeLessThanOrEqual(15_000);
    // Kills that hit a process that drove, and work that had begun.
    expect(report.leases).toBeGreaterThan(kills / 5);
    if (kills >= 20) expect(report.repeated).toBeGreaterThan(0);
  },
);
