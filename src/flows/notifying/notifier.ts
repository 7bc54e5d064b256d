/**
 * Finds what people must be notified about, and sends the messages that are due. Several processes may do this at once:
 * what was reported is written under a version, and only the process that claimed a message sends it.
 */
import type { NewNotice, NotificationChoice } from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { type Condition, describeFor, readSlow, readUrgent } from './conditions.js';
import { deliver, findPerson } from './deliver.js';
import type { NotifyingParts } from './parts.js';

export interface NotifierOptions {
  /** How long to collect further news into the same message, in milliseconds. */
  readonly gatherMs: number;
  readonly reportError: (error: unknown) => void;
}

export interface Notifier {
  start(): void;
  /** Looks once at everything, and sends what is due. */
  look(): Promise<void>;
  close(): Promise<void>;
}

const urgentMs = 2_000;
const slowMs = 30_000;
/** Longer than any attempt takes; then another process takes over. */
const claimMs = 300_000;
const maxSending = 4;

export function createNotifier(parts: NotifyingParts, { gatherMs, reportError }: NotifierOptions): Notifier {
  const closing = new AbortController();
  /** The end of the record of each workspace, as last looked at. */
  const seen = new Map<string, number>();
  const sending = new Map<string, Promise<void>>();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let lastSlow = Number.NEGATIVE_INFINITY;

  async function lookAt(workspaceId: string, isSlow: boolean): Promise<void> {
    const workspace = parts.storage.workspace(workspaceId);
    const choices = (await workspace.notifications.listChoices()).filter(isUsable);
    if (choices.length === 0) return;
    const { seq } = await workspace.audit.head();
    if (isSlow || seen.get(workspaceId) !== seq) {
      await tell(parts, { workspaceId, choices, isSlow, gatherMs });
      seen.set(workspaceId, seq);
    }
    if (!sending.has(workspaceId)) sending.set(workspaceId, sendAll(workspaceId));
  }

  /** A server that does not answer delays only the messages of its own workspace. */
  async function sendAll(workspaceId: string): Promise<void> {
    try {
      await Promise.all(Array.from({ length: maxSending }, () => sendDue(workspaceId)));
    } catch (error) {
      reportError(error);
    } finally {
      sending.delete(workspaceId);
    }
  }

  async function sendDue(workspaceId: string): Promise<void> {
    const { notifications } = parts.storage.workspace(workspaceId);
    while (!closing.signal.aborted) {
      // The clocks of hosts differ: one that is ahead would take what another is sending.
      const now = await parts.storage.now();
      const until = new Date(now.getTime() + claimMs).toISOString();
      const message = await notifications.claim(now.toISOString(), until);
      if (!message) return;
      await deliver(parts, { workspaceId, message, signal: closing.signal });
    }
  }

  async function lookAll(isSlow: boolean): Promise<void> {
    for (const { id } of await parts.storage.system.listWorkspaces()) {
      if (closing.signal.aborted) return;
      // A failure in one workspace must not affect the others.
      await lookAt(id, isSlow).catch(reportError);
    }
  }

  function next(isSlow: boolean): Promise<void> {
    running = running.then(() => lookAll(isSlow)).catch(reportError);
    return running;
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      const isSlow = performance.now() - lastSlow >= slowMs;
      if (isSlow) lastSlow = performance.now();
      await next(isSlow);
      if (!closing.signal.aborted) schedule();
    }, urgentMs).unref();
  }

  return {
    start: schedule,
    async look() {
      await next(true);
      await Promise.all(sending.values());
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
      await Promise.all(sending.values());
    },
  };
}

/** A member of Slack that nobody has confirmed gets nothing. */
const isUsable = ({ kinds, slack }: NotificationChoice): boolean =>
  kinds.length > 0 && (slack === undefined || slack.confirmedAt !== undefined);

interface Telling {
  readonly workspaceId: string;
  readonly choices: readonly NotificationChoice[];
  readonly isSlow: boolean;
  readonly gatherMs: number;
}

async function tell(parts: NotifyingParts, { workspaceId, choices, isSlow, gatherMs }: Telling): Promise<void> {
  const { notifications } = parts.storage.workspace(workspaceId);
  const { version, told } = await notifications.readTold();
  const now = (await parts.storage.now()).toISOString();
  const isTold = (key: string): boolean => Object.hasOwn(told, key);
  const urgent = await readUrgent(parts, workspaceId, isTold);
  const present = isSlow ? [...urgent, ...(await readSlow(parts, workspaceId))] : urgent;
  const kept = Object.entries(told).filter(([key, until]) => isRemembered({ key, until, now, isSlow }));
  const remembered = Object.fromEntries([...kept, ...present.map(({ key, until = '' }) => [key, until])]);
  const isChanged =
    Object.keys(remembered).some((key) => !isTold(key)) || Object.keys(told).some((key) => !(key in remembered));
  if (!isChanged) return;
  const fresh = present.filter(({ key }) => !isTold(key));
  const notices = await findNotices(parts, { workspaceId, choices, fresh, now });
  const dueAt = new Date(Date.parse(now) + gatherMs).toISOString();
  await notifications.tell({ version, told: remembered }, notices, { now, dueAt });
}

/** Keeps, besides the current conditions, calls until they expire, and conditions that were not checked. */
function isRemembered({
  key,
  until,
  now,
  isSlow,
}: {
  key: string;
  until: string;
  now: string;
  isSlow: boolean;
}): boolean {
  if (key.startsWith('approval:')) return until > now;
  return !isSlow && !key.startsWith('account:');
}

interface Fresh extends Pick<Telling, 'workspaceId' | 'choices'> {
  readonly fresh: readonly Condition[];
  readonly now: string;
}

/** For each person who chose its kind and may see it. */
async function findNotices(parts: NotifyingParts, { workspaceId, choices, fresh, now }: Fresh): Promise<NewNotice[]> {
  const people = new Map<string, Principal | undefined>();
  const notices: NewNotice[] = [];
  for (const { userId, channelId, kinds } of choices) {
    if (!people.has(userId)) people.set(userId, await findPerson(parts, workspaceId, userId));
    const person = people.get(userId);
    for (const { kind, key } of fresh)
      if (person && kinds.includes(kind) && (await describeFor(parts, person, { kind, key })))
        notices.push({ userId, channelId, kind, key, at: now });
  }
  return notices;
}
