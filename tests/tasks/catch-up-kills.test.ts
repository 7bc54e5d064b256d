/**
 * Two processes on one PostgreSQL that start at once and read what was not delivered, while the one that applies it is killed. A long run kills
 * more often.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { seal } from '../../src/audit/index.js';
import type { Storage } from '../../src/domain/storage.js';
import { repository } from '../../src/flows/tasks/webhooks/testing/github.js';
import { createHelve } from '../../src/helve.js';
import { openStorage } from '../../src/storage/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { rounds } from '../../src/testing/rounds.js';
import { type RememberingGitHub, startGitHub } from '../counterparts/github.js';
import { type Scripted, startScripted } from '../counterparts/scripted.js';
import { killChildren, removeTemporaryFolders, type Server, serve, temporaryFolder } from '../e2e/support/server.js';
import { addGitHubSource } from './support/stories.js';

const vaultKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const issues = rounds(40, 100);
const kills = rounds(2, 5);
const refOf = (number: number): string => `github:${repository}#${number}`;
const refs = Array.from({ length: issues }, (_, at) => refOf(at + 1));

let postgres: TestPostgres;
let github: RememberingGitHub;
/** Its model never answers: each assigned issue stays in the hands of its agent. */
let model: Scripted;
let storage: Storage;
beforeAll(async () => {
  [postgres, github, model] = await Promise.all([startPostgres(), startGitHub(), startScripted()]);
  model.answer = () => new Promise(() => {});
}, 120_000);
afterEach(async () => {
  killChildren();
  await storage?.close();
});
afterAll(async () => {
  await Promise.all([postgres?.stop(), github?.close(), model?.close()]);
  await removeTemporaryFolders();
});

const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');

/** A workspace with a source that was added half an hour ago, and every second issue given to an agent since. */
async function setUp(database: string): Promise<string> {
  const helve = await createHelve({ database, vaultKeys, now: () => new Date(Date.now() - 30 * 60_000) });
  try {
    const { plane } = helve;
    const { workspaceId } = await helve.setUp();
    const admin = (await plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
    await plane.createAgent(admin, { slug: 'worker' });
    await addGitHubSource(plane, admin);
    return workspaceId;
  } finally {
    await helve.close();
  }
}

function happen(): void {
  for (let number = 1; number <= issues; number++) {
    const at = minutesAgo(20);
    github.issues.push({
      ...{ id: number, number, title: `It breaks ${number}`, body: 'Here', state: 'open', labels: [] },
      ...{ user: { login: 'ann', id: 7, type: 'User' }, author_association: 'MEMBER' },
      ...{ html_url: `https://github.com/${repository}/issues/${number}`, created_at: at, updated_at: minutesAgo(10) },
    });
    github.comments.push({
      ...{ issue: number, id: number, body: number % 2 === 0 ? '/helve assign worker' : 'Me too' },
      ...{ created_at: minutesAgo(10), author_association: 'MEMBER', user: { login: 'mia', id: 8, type: 'User' } },
    });
  }
}

async function findDriver(servers: readonly Server[]): Promise<Server | undefined> {
  const { lease } = await storage.system.actors.look();
  const { pid } = (await storage.system.listInstances()).find(({ id }) => id === lease?.owner) ?? {};
  return servers.find((one) => one.pid === pid);
}

/** How often the record has a row of this type, by issue. */
async function rowsOf(workspaceId: string, type: 'issue.created' | 'issue.commented' | 'issue.assigned') {
  const rows = await storage.workspace(workspaceId).audit.search({ types: [type], limit: 1_000 });
  return rows.map(({ body }) => String(body.issue)).toSorted();
}

test(
  'R-task-mcp R-machines: what two processes read at once is done once, and all of it, although the one that applies it is killed',
  async () => {
    const database = await postgres.storeUrl();
    const workspaceId = await setUp(database);
    happen();
    storage = await openStorage({ location: database, seal });
    const config = `toolkits:\n  github:\n    base_url: ${github.url}\nmodels:\n  language: { base_url: '${model.url}', model: scripted }\n`;
    // As on two machines, each has a folder of its own.
    const start = async () => {
      const folder = await temporaryFolder('catch-up-kills');
      await writeFile(join(folder, 'helve.yaml'), config);
      return serve(folder, [], { HELVE_VAULT_KEYS: vaultKeys, HELVE_DATABASE_URL: database });
    };
    let servers: readonly Server[] = await Promise.all([start(), start()]);
    const table = storage.workspace(workspaceId).issues;
    const count = async () => (await table.listById(refs)).length;
    const countAtKills: number[] = [];
    for (let killed = 1; killed <= kills; killed++) {
      const enough = Math.floor((issues * killed) / (kills + 1));
      while ((await count()) < enough) await sleep(5);
      const driver = await findDriver(servers);
      if (!driver) continue;
      countAtKills.push(await count());
      await driver.stop('SIGKILL');
      servers = [...servers.filter((one) => one !== driver), await start()];
    }
    // Every kill was in the middle of the work, or the test says nothing.
    expect(countAtKills).toHaveLength(kills);
    expect(Math.max(...countAtKills)).toBeLessThan(issues);
    const address = { kind: 'repo', id: `github:${repository}` } as const;
    const caughtUp = async () =>
      (await storage.workspace(workspaceId).actors.find(address))?.view.snapshot.context.caughtUp;
    await expect.poll(caughtUp, { timeout: 60_000, interval: 100 }).toBeTruthy();
    const assigned = refs.filter((_, at) => at % 2 === 1);
    const agentOf = async (id: string) =>
      (await storage.workspace(workspaceId).actors.find({ kind: 'issue', id }))?.view.snapshot.context.agent;
    const withAgent = async () => {
      const agents = await Promise.all(refs.map(agentOf));
      return refs.filter((_, at) => agents[at] === 'worker');
    };
    await expect.poll(withAgent, { timeout: 60_000, interval: 200 }).toEqual(assigned);
    expect(await rowsOf(workspaceId, 'issue.created')).toEqual(refs.toSorted());
    expect(await rowsOf(workspaceId, 'issue.commented')).toEqual(refs.toSorted());
    expect(await rowsOf(workspaceId, 'issue.assigned')).toEqual(assigned.toSorted());
    const comments = await Promise.all(refs.map((ref) => table.comments(ref, 5)));
    expect(comments.map((all) => all.length)).toEqual(refs.map(() => 1));
    for (const server of servers) await server.stop();
  },
  rounds(180_000, 600_000),
);
