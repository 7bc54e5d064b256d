/** Tells issues that wait for an account, or for other rules, that something has changed. */
import type { ActorPage } from '../../domain/actor-host.js';
import type { Connection } from '../../domain/connection.js';
import type { IssueContext } from '../../tasks/index.js';
import type { TaskParts } from './parts.js';

type WakeParts = Pick<TaskParts, 'actors' | 'configurations' | 'storage'>;

interface WatchParts extends WakeParts {
  /** Returns a function for one look, which says whether a blocked issue would now be free, or blocked for other reasons. */
  readonly createDryLook: () => (issue: Listed) => Promise<boolean>;
}

/**
 * Every issue of the workspace whose tools are missing, or are being looked for, looks again. `change` names what
 * changed, once. Issues that a limit blocks are woken by whoever enforces the limit. With `mayGoOn`, only those blocked issues are told for
 * which it returns true.
 */
export async function wakeWaiting(
  { actors, mayGoOn }: Pick<WakeParts, 'actors'> & { readonly mayGoOn?: (issue: Listed) => Promise<boolean> },
  workspaceId: string,
  change: string,
): Promise<void> {
  // In this order, because one that is being prepared may be blocked by what it has read before the change.
  for (const state of ['preparing', 'blocked'])
    for await (const view of pages((after) => actors.list({ workspaceId, kind: 'issue', state, ...after }))) {
      const { actor, snapshot } = view;
      const { blockedBy } = snapshot.context as unknown as IssueContext;
      if (blockedBy.some(({ limit }) => limit)) continue;
      // It finds out itself what fails here.
      if (state === 'blocked' && mayGoOn && !(await mayGoOn(view).catch(() => true))) continue;
      await actors.send(actor, { type: 'TOOLS_CHANGED' }, { id: change });
    }
}

/**
 * Tells the organisations of the workspace which accounts have been connected or lost since they were last told. Several processes may
 * do this at once: an event about a change has the same id in each.
 */
export async function tellConnections({ actors, configurations }: WakeParts, workspaceId: string): Promise<void> {
  for await (const { actor, snapshot } of pages((after) => actors.list({ workspaceId, kind: 'org', ...after }))) {
    const { connections } = await configurations.getFresh(workspaceId);
    const known = snapshot.context.connections as Readonly<Record<string, string>>;
    const active = connections.filter(({ status }) => status === 'active');
    const made = active.filter(({ id }) => !Object.hasOwn(known, id));
    const lost = Object.keys(known).filter((id) => !active.some((one) => one.id === id));
    const changes = String(snapshot.context.changes);
    for (const { id, toolkit } of made) await tell('CONNECTION_MADE', id, toolkit);
    for (const id of lost) await tell('CONNECTION_LOST', id, known[id] ?? id);

    async function tell(type: string, connection: Connection['id'], app: string): Promise<void> {
      await actors.send(actor, { type, app, connection }, { id: `${type}:${connection}:${changes}` });
    }
  }
}

type Listed = ActorPage['actors'][number];

/** All pages of a list of actors. */
export async function* pages(list: (after: { readonly after?: string }) => Promise<ActorPage>): AsyncIterable<Listed> {
  let page = await list({});
  yield* page.actors;
  while (page.next !== undefined) {
    page = await list({ after: page.next });
    yield* page.actors;
  }
}

/** Tells tasks about every change of a workspace's accounts, grants and policies. Returns what begins and what ends this. */
export function createConfigurationWatch(parts: WatchParts, report: (error: unknown) => void) {
  const { storage } = parts;
  let running = Promise.resolve();
  /** One look that has not begun yet sees every change before it, however many there were. */
  const waiting = new Set<string>();
  const check = (workspaceId: string): void => {
    if (waiting.has(workspaceId)) return;
    waiting.add(workspaceId);
    running = running
      .then(() => {
        waiting.delete(workspaceId);
        return look(workspaceId);
      })
      .catch(report);
  };
  /** A change of grants or policies can let an issue go on too, and may have come together with one of accounts. */
  async function look(workspaceId: string): Promise<void> {
    await tellConnections(parts, workspaceId);
    const change = `configuration:${await storage.workspace(workspaceId).revision()}`;
    await wakeWaiting({ ...parts, mayGoOn: parts.createDryLook() }, workspaceId, change);
  }
  let stop = (): void => undefined;
  return {
    /** Catches up on changes that no process has reported, because none was running or one died too early. */
    async start(): Promise<void> {
      stop = storage.onChange(check);
      for (const { id } of await storage.system.listWorkspaces()) check(id);
    },
    async close(): Promise<void> {
      stop();
      await running;
    },
  };
}
