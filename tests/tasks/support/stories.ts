/**
 * Stories like that of tests/e2e/tasks-story.test.ts, told to `helve serve` processes on one store that may be killed at any moment.
 * GitHub, the model and the person are outside of them. It runs the built package.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { seal } from '../../../src/audit/index.js';
import type { Plane } from '../../../src/domain/plane.js';
import type { Principal } from '../../../src/domain/principal.js';
import type { NewTaskSource } from '../../../src/domain/task-source.js';
import { hookSecret, repository, signed } from '../../../src/flows/tasks/webhooks/testing/github.js';
import { createHelve } from '../../../src/helve.js';
import { openStorage } from '../../../src/storage/index.js';
import { freePort } from '../../../src/testing/free-port.js';
import { type Crew, createCrew } from '../../../src/testing/kill-crew.js';
import { type RememberingGitHub, startGitHub } from '../../counterparts/github.js';
import { ask, type Reply } from '../../e2e/support/requests.js';
import { type Server, serve, temporaryFolder } from '../../e2e/support/server.js';
import { assigned, checked, opened, type Place, proposed, pushed, refOf, synchronized } from './story-deliveries.js';
import { type StoryModel, startStoryModel } from './story-model.js';

const firstPull = 10_000;

interface OneServer extends Server {
  kill(): void;
}

export interface Stories {
  readonly github: RememberingGitHub;
  readonly crew: Crew<OneServer>;
  /** The process that drives the issues. */
  findDriver(): Promise<OneServer | undefined>;
  /** Until the pull request of the first attempt is there. */
  tellFirstAttempt(issue: number): Promise<void>;
  /** To its end. Rejects if it does not end right. */
  tell(issue: number): Promise<void>;
  /** Before another story begins. `tell` does it. */
  disconnectLinear(): Promise<void>;
  /** The effects of a story at GitHub, in their order. */
  made(issue: number): readonly string[];
  /** How often a run was taken over from a process that was dead. */
  countTakeovers(): Promise<number>;
  /** The longest time in which GitHub, the model and the person saw nothing, in milliseconds. */
  longestGapMs(): number;
  close(): Promise<void>;
}

/** `processes`: how many there are at a time. */
export async function openStories(processes: number): Promise<Stories> {
  let last = performance.now();
  let longest = 0;
  function seeSomething(): void {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }

  const github = await startGitHub({ firstPull });
  github.sees = seeSomething;
  const model: StoryModel = await startStoryModel({ onAsked: seeSomething, onPushed: push });
  const dataDir = await temporaryFolder('story-kills');
  const config = `toolkits:\n  github:\n    base_url: ${github.url}\nmodels:\n  language: { base_url: '${model.url}', model: scripted }\nlimits: { per_ip: null, per_credential: null, per_principal: null }\n`;
  await writeFile(join(dataDir, 'helve.yaml'), config);
  const key = await setUp(dataDir);
  const crew = createCrew({ start: () => startServer(dataDir), processes, lifeMs: 3_000 });
  await crew.open();
  const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
  last = performance.now();

  /** Undefined if the server died before it answered: it may have been done. */
  async function askOnce(route: string, body?: unknown): Promise<Reply | undefined> {
    const [server] = crew.members;
    const reply = server && (await ask(server.url, route, key, body).catch(() => undefined));
    if (reply && reply.status < 500) return reply;
    await sleep(50);
    return undefined;
  }

  /** For what can be done twice. */
  async function request(route: string, body?: unknown): Promise<any> {
    for (;;) {
      const reply = await askOnce(route, body);
      if (reply) return reply.body;
    }
  }

  /** As GitHub does, and again as its owner does when it has failed. */
  async function deliver(body: unknown): Promise<void> {
    const { headers, body: bytes } = await signed(body);
    for (;;) {
      const [server] = crew.members;
      const sent =
        server && fetch(`${server.url}/api/webhooks/github`, { method: 'POST', headers, body: new Uint8Array(bytes) });
      const reply = await sent?.catch(() => undefined);
      if (reply && reply.status < 500) {
        seeSomething();
        return expect(reply.status).toBeLessThan(300);
      }
      await sleep(50);
    }
  }

  /** GitHub tells of the push of the second attempt. */
  async function push(issue: number): Promise<void> {
    await deliver(synchronized(placeOf(issue)));
    await until(actorPath(issue), ({ snapshot }) => snapshot.context.pullRequestChecks?.state === 'pending');
  }

  /** Asks until the answer fits. */
  async function until(path: string, fits: (body: any) => boolean): Promise<any> {
    const before = performance.now();
    for (;;) {
      const body = await request(`GET ${path}`);
      if (fits(body)) {
        seeSomething();
        return body;
      }
      if (performance.now() - before > 120_000) throw new Error(`It never came: ${JSON.stringify(body)}`);
      await sleep(100);
    }
  }

  /** The grant comes first: an issue that has the account and not the grant is blocked again, and says so. */
  async function connectLinear(): Promise<void> {
    const account = { toolkit: 'linear', name: 'Team', scheme: 'api_key', visibility: 'workspace' };
    const isThere = async () =>
      (await request('GET /api/tools/connected')).connections.some((one: any) => one.toolkit === 'linear');
    while (!(await isThere())) await askOnce('POST /api/tools/add-to-workspace', account);
    await request('PATCH /api/agents/worker/grants', { add: [{ tools: ['*'] }] });
    const credentials = { key: 'lin_api_0123456789abcdef' };
    await request('POST /api/tools/connect', { connection: 'team', credentials, check: false });
  }

  const disconnectLinear = () => request('POST /api/tools/disconnect', { toolkit: 'linear', remove: true });

  const made = (issue: number) => {
    const ofIssue = new RegExp(`\\b${issue}\\b`);
    return github.effects.filter((one) => ofIssue.test(one) || one === `pull ${placeOf(issue).pull}`);
  };

  async function tellFirstAttempt(issue: number): Promise<void> {
    await deliver(opened(placeOf(issue)));
    await deliver(assigned(placeOf(issue)));
    await until(issuePath(issue), ({ state }) => state === 'blocked');
    await hasMade(issue, blocked(issue));
    await connectLinear();
    await until(issuePath(issue), ({ state }) => state === 'verifying');
    await deliver(proposed(placeOf(issue)));
  }

  const hasMade = (issue: number, effects: readonly string[]) =>
    expect.poll(() => made(issue), { timeout: 120_000 }).toEqual(effects);

  async function tell(issue: number): Promise<void> {
    const place = placeOf(issue);
    await tellFirstAttempt(issue);
    await deliver(checked(place, 'failure'));
    await until(issuePath(issue), ({ attempts, state }) => attempts === 2 && state === 'verifying');
    // Late, and about the commit before.
    await deliver(checked(place, 'failure'));
    await deliver(checked(place, 'success', pushed));
    const done = await until(issuePath(issue), ({ state }) => state === 'done' || state === 'failed');
    const delivered = { pullRequest: `github:${repository}#${place.pull}` };
    expect(done).toMatchObject({ state: 'done', attempts: 2, delivered });
    expect(model.failures).toEqual([]);
    await hasMade(issue, all(place));
    await until(actorPath(issue), ({ work }) => work.length === 0);
    expect(made(issue)).toEqual(all(place));
    const [, comment] = github.comments.filter((one) => one.issue === issue);
    expect(comment?.body).toMatch(new RegExp(`^\\*\\*Done\\*\\*.*The typo of ${issue} is gone \\(attempt 2\\)`, 's'));
    await disconnectLinear();
  }

  /** Undefined if none does within a while: before the first story. */
  async function findDriver(): Promise<OneServer | undefined> {
    for (const until = performance.now() + 10_000; performance.now() < until; await sleep(20)) {
      const { lease } = await storage.system.actors.look();
      const { pid } = (await storage.system.listInstances()).find(({ id }) => id === lease?.owner) ?? {};
      const driver = crew.members.find((one) => one.pid === pid);
      if (driver) return driver;
    }
    return undefined;
  }

  return {
    github,
    crew,
    findDriver,
    tellFirstAttempt,
    tell,
    disconnectLinear,
    made,
    async countTakeovers() {
      let sum = 0;
      for (let before = ''; ; ) {
        const { runs } = await request(`GET /api/runs?limit=100${before && `&before=${before}`}`);
        for (const { takeovers = [] } of runs) sum += takeovers.length;
        if (runs.length < 100) return sum;
        before = runs.at(-1).id;
      }
    },
    longestGapMs: () => Math.round(longest),
    async close() {
      crew.end();
      await storage.close();
      await model.close();
      await github.close();
    },
  };
}

const placeOf = (issue: number): Place => ({ issue, pull: firstPull + issue - 1 });
const issuePath = (issue: number): string => `/api/issues/${encodeURIComponent(refOf(issue))}`;
const actorPath = (issue: number): string => `/api/actors/issue/${encodeURIComponent(refOf(issue))}`;

const blocked = (issue: number) => [`comment ${issue}`, `label ${issue} helve:blocked`];

/** Each effect of a story, once. */
const all = ({ issue, pull }: Place) => [
  ...blocked(issue),
  `branch fix-${issue}`,
  `file fix-${issue}:a.txt`,
  `pull ${pull}`,
  `file fix-${issue}:b.txt`,
  `comment ${issue}`,
  `unlabel ${issue} helve:blocked`,
  `label ${issue} helve:done`,
];

async function startServer(dataDir: string): Promise<OneServer> {
  // What is written back has links: it is the same from all servers only if they have one address.
  const port = await freePort();
  const words = ['--beside', '--port', String(port)];
  const server = await serve(dataDir, words, { HELVE_PUBLIC_URL: 'http://127.0.0.1:4870' });
  return { ...server, url: `http://127.0.0.1:${port}`, kill: () => void process.kill(server.pid, 'SIGKILL') };
}

/** Connects an account of GitHub, `hub`, and adds the source of the repository. */
export async function addGitHubSource(
  plane: Plane,
  admin: Principal,
  more: Partial<NewTaskSource> = {},
): Promise<void> {
  const { id } = await plane.addConnection(admin, { toolkit: 'github', name: 'Hub', scheme: 'token' });
  await plane.connect(admin, id, { credentials: { token: 'ghp_0123456789abcdef' }, check: false });
  const source = { provider: 'github', scope: repository, connection: 'hub', secret: hookSecret } as const;
  await plane.createTaskSource(admin, { ...source, ...more });
}

/** Sets the store up as its admin does, and returns an API key of the admin. */
async function setUp(dataDir: string): Promise<string> {
  const helve = await createHelve({ dataDir });
  try {
    const { plane } = helve;
    const { workspaceId } = await helve.setUp();
    const admin = (await plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
    await plane.createAgent(admin, { slug: 'worker', toolMode: 'code' });
    await addGitHubSource(plane, admin, { checks: [{ kind: 'pull_request' }] });
    await plane.putToolConfig(admin, { level: 'repo', id: `github:${repository}` }, { requiredApps: ['Linear'] });
    return (await plane.createApiKey(admin, { name: 'person', role: 'admin' })).secret;
  } finally {
    await helve.close();
  }
}
