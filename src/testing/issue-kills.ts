/**
 * Issues with the real machines and scripted agents, while the processes that drive them are killed at random moments. The
 * counterpart and the person who answers are in the process that calls this, and are not killed. Afterwards each issue has exactly the
 * events and the effects of its story, in order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActorMachine, ActorPage, ActorRef } from '../domain/actor-host.js';
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';
import { type Effect, stepsOfAttempt, storyOf } from './issue-child.js';
import { createCrew, waitForWork } from './kill-crew.js';

export interface IssueKills {
  readonly storage: Storage;
  readonly workspaceId: string;
  readonly machine: ActorMachine;
  /** The program of a process, which gets the address of the counterpart as its last argument, and prints a line when it is open. */
  readonly program: { readonly folder: string; readonly parameters: readonly string[] };
  readonly issues: number;
  readonly kills: number;
  /** The control: the counterpart ignores the keys of effects, so that one that is asked for again happens again. */
  readonly ignoreKeys?: boolean;
  /** How many processes live at a time. */
  readonly processes?: number;
  /** What is killed besides processes, and how: resolves when it is back. Every second kill is one of these. */
  readonly others?: Readonly<Record<string, () => Promise<void>>>;
}

export interface IssueKillsReport {
  /** Empty if nothing was lost, doubled or out of order. */
  readonly problems: readonly string[];
  readonly effects: number;
  /** Effects that were asked for again, under the same key, and not made again. */
  readonly repeated: number;
  readonly events: number;
  /** How often a process began to drive. */
  readonly leases: number;
  /** The longest time without any effect while there was work. */
  readonly longestGapMs: number;
  readonly seconds: number;
  /** How often each was killed. */
  readonly killed: Readonly<Record<string, number>>;
}

/** The longest time from one kill of something else to the next. */
const lifeMs = 1_000;
/** How long the answer of an effect is held back for a kill that is aimed at it, and how long such a kill waits for an effect. */
const aimMs = 5_000;

export async function killWhileIssuesAreDone(options: IssueKills): Promise<IssueKillsReport> {
  const { storage, issues, kills, processes = 2, others = {} } = options;
  const killed: Record<string, number> = {};
  const startedAt = performance.now();
  const counterpart = await startCounterpart(options);
  const person = startPerson(options, counterpart);
  const crew = createCrew({ start: () => startProcess(options, counterpart.url), processes });
  /** The process that drives; undefined if none does now, or if its name is not its number. */
  async function findDriver(): Promise<ChildProcess | undefined> {
    const { lease } = await answered(() => storage.system.actors.look());
    return crew.members.find(({ pid }) => String(pid) === lease?.owner);
  }
  async function fileAndKill(kill: number): Promise<void> {
    const all = Object.entries(others);
    const other = Math.random() < 0.5 ? all[Math.floor(Math.random() * all.length)] : undefined;
    const name = other?.[0] ?? 'process';
    killed[name] = (killed[name] ?? 0) + 1;
    // Chance alone might never hit an effect, or the process that drives, in a few kills.
    const effect = other || kill % 2 === 1 ? undefined : counterpart.nextEffect();
    await file(options, Math.floor((kill * issues) / kills), Math.floor(((kill + 1) * issues) / kills));
    if (!other) return crew.kill(effect && (() => effect.then(findDriver)));
    await sleep(Math.random() * lifeMs);
    await other[1]();
  }
  try {
    await crew.open();
    for (let kill = 0; kill < kills; kill++) await fileAndKill(kill);
    await file(options, kills === 0 ? 0 : issues, issues);
    await waitForWork({
      isDone: () => counterpart.effects.filter(({ what }) => what === 'report done').length >= issues,
      progress: () => counterpart.effects.length,
    });
    await person.stop();
    const { problems, events } = await compare(options, counterpart.effects);
    const { lease } = await storage.system.actors.look();
    return {
      problems: [...problems, ...person.problems],
      events,
      effects: counterpart.effects.length,
      repeated: counterpart.repeated(),
      leases: lease?.number ?? 0,
      longestGapMs: Math.round(counterpart.longestGap()),
      seconds: (performance.now() - startedAt) / 1_000,
      killed,
    };
  } finally {
    await person.stop();
    crew.end();
    await counterpart.stop();
  }
}

async function startProcess({ program: { folder, parameters } }: IssueKills, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...parameters, url], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

const refOf = (n: number): ActorRef => ({ kind: 'issue', id: `i${n}` });

/** Starts these issues and assigns an agent to each. */
async function file({ storage, workspaceId, machine }: IssueKills, from: number, to: number): Promise<void> {
  const { actors } = storage.workspace(workspaceId);
  for (let n = from; n < to; n++) {
    await answered(() => actors.insert(refOf(n), machine.initial({ id: `i${n}`, limits: { backOffMs: 100 } })));
    await answered(() => actors.send({ to: refOf(n), id: 'assign', event: { type: 'ASSIGN_AGENT', agent: 'coder' } }));
  }
}

const isAway = (thrown: unknown): boolean => thrown instanceof HelveError && thrown.code === 'storage_failed';

/** Asks a store that was killed until it answers. What is asked may be done twice. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown;
      await sleep(50);
    }
  }
}

async function startCounterpart({ ignoreKeys = false }: IssueKills) {
  const effects: Effect[] = [];
  const keys = new Set<string>();
  const connected = new Set<string>();
  /** Kills that wait for the next effect. */
  const waiting = new Set<() => void>();
  let repeated = 0;
  let lastAt = 0;
  let longest = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', async () => {
      const effect = JSON.parse(text) as Effect;
      if (keys.has(effect.key)) repeated += 1;
      if (ignoreKeys || !keys.has(effect.key)) {
        const now = performance.now();
        if (lastAt > 0) longest = Math.max(longest, now - lastAt);
        lastAt = now;
        keys.add(effect.key);
        effects.push(effect);
      }
      // An answer gets lost with its process, or arrives.
      if (waiting.size > 0) {
        for (const tell of waiting) tell();
        await Promise.race([once(request.socket, 'close'), sleep(aimMs)]);
      }
      response.end(JSON.stringify({ connected: storyOf(effect.issue) !== 2 || connected.has(effect.issue) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    effects,
    connect: (issue: string): unknown => connected.add(issue),
    repeated: () => repeated,
    /** Resolves when the next effect has been made and before it is answered, or when none is made for some seconds. */
    async nextEffect(): Promise<void> {
      let tell = (): void => undefined;
      const made = new Promise<void>((resolve) => {
        tell = resolve;
        waiting.add(tell);
      });
      await Promise.race([made, sleep(aimMs)]);
      waiting.delete(tell);
    },
    longestGap: () => longest,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Counterpart = Awaited<ReturnType<typeof startCounterpart>>;

/** Connects the app of an issue that reported that it is missing, and answers the questions of agents. */
function startPerson({ storage, workspaceId }: IssueKills, { effects, connect }: Counterpart) {
  const { actors } = storage.workspace(workspaceId);
  const problems: string[] = [];
  let stopped = false;

  async function look(): Promise<void> {
    for (const { issue, what } of effects)
      if (what === 'report blocked') {
        connect(issue);
        await actors.send({ to: { kind: 'issue', id: issue }, id: 'connected', event: { type: 'TOOLS_CHANGED' } });
      }
    for (let page: ActorPage | undefined; !page || page.next; ) {
      page = await actors.list({ state: 'executing', limit: 200, ...(page?.next ? { after: page.next } : {}) });
      for (const { actor, snapshot } of page.actors)
        if (JSON.stringify(snapshot.value).includes('waiting_for_answer'))
          await actors.send({ to: actor, id: 'answer', event: { type: 'RESUMED', answer: 'The blue one' } });
    }
  }
  const running = (async () => {
    while (!stopped) {
      // A store that is away is asked again.
      await look().catch((error) => isAway(error) || problems.push(String(error)));
      await sleep(100);
    }
  })();
  return {
    problems,
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

const steps = (attempt: number, from = 1, to = stepsOfAttempt): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `step ${attempt}.${from + index}`);

/** What must have happened to an issue, by its story. */
const stories: readonly { readonly events: string; readonly effects: readonly string[] }[] = [
  {
    events: 'ASSIGN_AGENT TOOLS_READY COMPLETED REJECTED COMPLETED VERIFIED',
    effects: ['prepare', ...steps(1), 'verify 1', ...steps(2), 'verify 2', 'report done'],
  },
  {
    events: 'ASSIGN_AGENT TOOLS_READY FAILED BACK_OFF_OVER COMPLETED VERIFIED',
    effects: ['prepare', ...steps(1), ...steps(2), 'verify 2', 'report done'],
  },
  {
    events: 'ASSIGN_AGENT TOOLS_MISSING TOOLS_CHANGED TOOLS_READY COMPLETED VERIFIED',
    effects: ['prepare', 'report blocked', 'prepare', ...steps(1), 'verify 1', 'report done'],
  },
  {
    events: 'ASSIGN_AGENT TOOLS_READY WAITING_FOR_ANSWER RESUMED COMPLETED VERIFIED',
    effects: ['prepare', ...steps(1), 'verify 1', 'report done'],
  },
  {
    events: 'ASSIGN_AGENT TOOLS_READY COMPLETED VERIFIED',
    effects: ['prepare', ...steps(1), 'verify 1', 'report done'],
  },
];

async function compare({ storage, workspaceId, issues }: IssueKills, effects: readonly Effect[]) {
  const problems: string[] = [];
  let events = 0;
  const made = new Map<string, string[]>();
  for (const { issue, what } of effects) made.set(issue, [...(made.get(issue) ?? []), what]);
  for (let n = 0; n < issues; n++) {
    const { id } = refOf(n);
    const story = stories[storyOf(id)];
    const view = (await storage.workspace(workspaceId).actors.find(refOf(n)))?.view;
    const seen = view?.events.map(({ event }) => event.type).join(' ');
    events += view?.events.length ?? 0;
    if (view?.snapshot.value !== 'done') problems.push(`${id} is ${JSON.stringify(view?.snapshot.value)}`);
    if (seen !== story?.events) problems.push(`${id} had ${seen} instead of ${story?.events}`);
    const [had, wanted] = [made.get(id)?.join(', '), story?.effects.join(', ')];
    if (had !== wanted) problems.push(`${id} made ${had} instead of ${wanted}`);
    if (view?.events.some(({ setAside }) => setAside)) problems.push(`${id} has an event that was set aside`);
  }
  return { problems, events };
}
