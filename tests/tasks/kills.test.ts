/** Issues with the machines of tasks and scripted agents, while the processes that drive them are killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { openStorage } from '../../src/storage/index.js';
import { machines } from '../../src/tasks/index.js';
import { compileProgram } from '../../src/testing/child-program.js';
import { type IssueKillsReport, killWhileIssuesAreDone } from '../../src/testing/issue-kills.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { rounds } from '../../src/testing/rounds.js';
import { workspace } from '../../src/testing/storage-fixtures.js';

const program = compileProgram(`
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
`);
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

interface Campaign {
  readonly location: string;
  readonly issues: number;
  readonly kills: number;
  readonly ignoreKeys?: boolean;
}

async function kill({ location, ...campaign }: Campaign): Promise<IssueKillsReport> {
  const storage = await openStorage({ location, seal });
  await storage.system.createWorkspace(workspace('w'), []);
  const report = await killWhileIssuesAreDone({
    ...campaign,
    storage,
    workspaceId: 'w',
    machine: machines.issue,
    program: { folder: await program.folder(), parameters: ['main.js', location] },
  });
  await storage.close();
  return report;
}

// Each of the five stories of an issue is told, and half of the kills hit the process that has just asked for an effect.
it.each([
  ['SQLite', ...rounds([10, 4] as const, [50, 20] as const)],
  ['PostgreSQL', ...rounds([5, 2] as const, [20, 6] as const)],
] as const)(
  'R-machines: on %s %i issues end right under %i kills: nothing lost, doubled or out of order',
  { timeout: 180_000 },
  async (store, issues, kills) => {
    const location = store === 'SQLite' ? join(folder, 'store.db') : await (await postgres()).storeUrl();
    const { problems, ...report } = await kill({ location, issues, kills });
    expect(problems).toEqual([]);
    // How long the pauses are is measured on a quiet machine.
    if (kills >= 20) expect(report.longestGapMs).toBeLessThanOrEqual(15_000);
    // Kills that hit a process that drove, and work that had begun.
    expect(report.leases).toBeGreaterThan(kills / 5);
    // Of two kills, none may have hit such work.
    if (kills >= 4) expect(report.repeated).toBeGreaterThan(0);
  },
);

it('R-machines: the campaign finds effects that happen twice when the counterpart ignores keys', {
  timeout: 180_000,
}, async () => {
  const { problems } = await kill({ location: join(folder, 'control.db'), issues: 2, kills: 1, ignoreKeys: true });
  expect(problems.join('\n')).toContain('instead of');
});
