/**
 * The runs of an installation. A run exists as its ledger in the store: any process can continue it, and only the
 * holder of the current lease writes to it.
 */

import { setMaxListeners } from 'node:events';
import type { Journal } from '../../audit/index.js';
import type { AgentDrivers } from '../../domain/agent-driver.js';
import type { AgentWork } from '../../domain/agent-model.js';
import type { AuditDraft } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { CallRequest, Door, ToolResult } from '../../domain/execution.js';
import type { JsonValue } from '../../domain/json.js';
import { isOwn, type Principal } from '../../domain/principal.js';
import {
  defaultRunLimits,
  isHeld,
  type Run,
  type RunActs,
  type RunError,
  type RunEvent,
  type RunLimits,
  type RunOptions,
  type RunWait,
  type StartRun,
} from '../../domain/run.js';
import type { RunChange, RunTable, Storage, StoredRun } from '../../domain/storage.js';
import { computedOnce } from '../../util/computed-once.js';
import { defined } from '../../util/defined.js';
import { newId, sha256 } from '../../util/hash.js';
import type { Instance, Pipeline } from '../calling/index.js';
import type { CompileProgram, ExecutableProgram, FindOutput, PrepareProgram } from '../code/index.js';
import type { ConfigurationCache } from '../workspaces/index.js';
import { createActive } from './active.js';
import { createAgentLoop } from './agent-loop.js';
import { decide, isOpenPlan, markForOthers, maySeeRun, noSuchRun, seesEffects } from './decide.js';
import type { FixedCalls } from './fixed-calls.js';
import { hideSecrets } from './hide-secrets.js';
import { chooseLimits } from './limits.js';
import { createRightsLook, findLostRight } from './lost-rights.js';
import { createPresentScope, type PresentScopeParts } from './present-scope.js';
import { hasMovedOn, passOn } from './programs.js';
import { draftRow } from './record-row.js';
import { type FollowedPlan, type StayEnd, type StayParts, stayInProcess } from './stay.js';
import { showRun } from './view.js';

export interface RunsParts extends PresentScopeParts {
  readonly storage: Storage;
  readonly instance: Pick<Instance, 'id' | 'isAlive'>;
  readonly journal: Pick<Journal, 'append'>;
  readonly configurations: Pick<ConfigurationCache, 'getFresh'>;
  readonly sandbox: StayParts['sandbox'];
  readonly compile: CompileProgram;
  readonly prepare: PrepareProgram;
  readonly findOutput: FindOutput;
  readonly execute: (request: CallRequest) => Promise<ToolResult>;
  readonly pipeline: Pick<Pipeline, 'preview'>;
  readonly askModel: StayParts['askModel'];
  readonly toolNames: StayParts['toolNames'];
  /** The loops of other SDKs, for agents that are set to one. */
  readonly drivers: AgentDrivers;
  /** Called when a run that waited continues, or has ended. */
  readonly onMoved?: (run: StoredRun) => void;
  /** Whether what the run is for is still wanted. Asked whenever a process begins or continues it. */
  readonly isWanted?: (principal: Principal) => Promise<boolean>;
  readonly limits?: RunLimits;
  /** Milliseconds between two looks at runs that other processes may have left. Default 5,000. */
  readonly sweepMs?: number;
  readonly runUrl: (runId: string) => string | undefined;
  readonly reportError: (error: unknown) => void;
}

/** Calls that are known before they are made, started as a run. */
export interface StartCalls extends FixedCalls {
  /** As for an agent's loop. */
  readonly key: string;
  readonly intent?: string;
}

/** One call, started as a run under the key that its caller chose. */
export interface StartCall {
  readonly tool: string;
  readonly input: JsonValue;
  readonly key: string;
  /** From 1: how often it has been begun under the key. Each attempt is a run. */
  readonly attempt: number;
  readonly intent?: string;
  /** The door of the request that began it. */
  readonly door?: Door;
}

/** An agent's loop, started as a run. */
export interface StartAgentRun {
  readonly work: AgentWork;
  /** A second start with the same key returns the run of the first. */
  readonly key: string;
  readonly intent?: string;
}

export interface Runs extends RunActs {
  /** Starts an agent's loop unless it has been started, and returns its run. The principal is the agent, on its issue. */
  startAgent(principal: Principal, start: StartAgentRun): Promise<Run>;
  /** The id of the run that `startAgent` or `startCalls` started with this key; undefined: none yet. */
  findStarted(principal: Principal, key: string): Promise<string | undefined>;
  /** Starts the calls unless they have been started, and returns their run. */
  startCalls(principal: Principal, start: StartCalls): Promise<Run>;
  /**
   * Starts this attempt at the call unless it has been started, and returns its run. Throws `conflict` if another call or a program
   * was started with the key.
   */
  startCall(principal: Principal, start: StartCall): Promise<{ readonly run: Run; readonly isNew: boolean }>;
  /** Takes over what dead processes left, now and from time to time. */
  start(): Promise<void>;
  /** Continues the runs of the workspace that can go on. Called when a person has decided something. */
  wake(workspaceId: string): void;
  /** Leaves all runs as they are in the ledger, for the next process. */
  close(): Promise<void>;
}

/**
 * Raised only for a change that a replay would not notice: all older runs then end with a clear error. Most changes are noticed, since
 * each call and timer is compared with the ledger: only a run that they concern ends as `diverged`, and the others go on.
 */
const replayVersion = 1;
const dayMs = 86_400_000;
/** For how long an approved plan can be used, and for how long an ended run is kept. */
const planLifetimeMs = dayMs;
const keptMs = 30 * dayMs;
const defaultSweepMs = 5_000;
const maxListed = 200;
const defaultListed = 50;
const followMs = 1_000;
/** A program whose thread or process fails this often, in one process of Helve, may be what makes it fail. */
const maxFailures = 3;
/** The newest that a run keeps. */
const maxTakeovers = 100;

/** Creates the runs of an installation; nothing is taken over before `start`. */
export function createRuns(parts: RunsParts): Runs {
  const { storage, instance, now, reportError } = parts;
  const active = createActive();
  const agentLoop = createAgentLoop(parts.drivers);
  const closing = new AbortController();
  // Each run that is executed here listens.
  setMaxListeners(0, closing.signal);
  const starting = new Set<string>();
  const isHere = (id: string): boolean => active.has(id) || starting.has(id);
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  const table = (workspaceId: string) => storage.workspace(workspaceId).runs;

  async function view(
    principal: Principal,
    run: StoredRun,
    getConfiguration = () => parts.configurations.getFresh(principal.workspaceId),
  ): Promise<Run> {
    const steps = await table(run.principal.workspaceId).outline(run.id);
    const shown = showRun(run, { steps, live: active.calls(run.id), url: parts.runUrl(run.id) });
    if (isOwnRun(principal, run)) return shown;
    return hideSecrets(principal, await markForOthers({ storage, getConfiguration }, principal, shown));
  }

  async function findOwn(principal: Principal, id: string): Promise<StoredRun | undefined> {
    const run = await table(principal.workspaceId).find(id);
    return run && isOwnRun(principal, run) ? run : undefined;
  }

  async function getStored(principal: Principal, id: string): Promise<StoredRun> {
    const run = await table(principal.workspaceId).find(id);
    if (run && maySeeRun(principal, run)) return run;
    throw noSuchRun(id);
  }

  /** Executes the run here until it ends or waits. */
  function begin(run: StoredRun, beginning: Beginning): void {
    active.begin(run.id, closing.signal, (signal) => work(run, beginning, signal).catch(reportError));
  }

  async function work(run: StoredRun, beginning: Beginning, signal: AbortSignal): Promise<void> {
    const { waits, program, failures = 0 } = beginning;
    const { workspaceId } = run.principal;
    const plan = run.plan === undefined ? undefined : await readPlan(parts, workspaceId, run.plan);
    const unfit = run.plan !== undefined && plan === undefined ? planIsGone : await findObstacle(parts, run);
    if (unfit) return settle(run, { end: 'failed', error: unfit, logs: run.logs, effects: [] });
    const steps = await table(workspaceId).steps(run.id);
    const end = await stayInProcess(
      {
        sandbox: isProgram(run) ? parts.sandbox : agentLoop,
        askModel: parts.askModel,
        toolNames: parts.toolNames,
        findObstacle: createRightsLook(parts, run.principal),
        present: createPresentScope(parts),
        reportError,
        findRun: (id) => findOwn(run.principal, id),
        execute: parts.execute,
        preview: parts.pipeline.preview,
        findOutput: (tool) => parts.findOutput(workspaceId, tool),
        now,
        onCall: (notice) => active.note(run.id, notice, now()),
        async setQueued(isQueued) {
          try {
            return await table(workspaceId).change(run, { status: isQueued ? 'queued' : 'running' }, []);
          } catch (error) {
            reportError(error);
            return false;
          }
        },
        async writeStep(step) {
          const write = { ...step, runId: run.id, lease: run.lease };
          try {
            return (await parts.journal.append({ workspaceId, events: [], step: write })) === 'committed';
          } catch (error) {
            // It may be on disk all the same. The run goes on from what the ledger says then.
            reportError(error);
            return false;
          }
        },
      },
      {
        run,
        steps,
        signal,
        program: program ?? (await compileAgain(parts, run)),
        approvals: new Map(
          waits.flatMap((one) => (one.for === 'approval' && !one.within ? [[one.number, one.approvalId]] : [])),
        ),
        ...defined({ plan }),
      },
    );
    if (end.end !== 'displaced') return settle(run, end);
    if (end.isFailure && failures + 1 === maxFailures) return settle(run, { ...end, end: 'failed' });
    const again = { waits: [...waits, ...end.waits], program, failures: failures + (end.isFailure ? 1 : 0) };
    return work(run, again, signal);
  }

  async function settle(run: StoredRun, end: Exclude<StayEnd, { end: 'displaced' }>): Promise<void> {
    if (end.end === 'lost') return;
    const { principal, id } = run;
    const at = now();
    const change = describeEnd(run, end, at);
    const type = end.end === 'parked' ? 'run.waiting' : 'run.finished';
    const body = end.end === 'parked' ? { runId: id, waits: end.waits as unknown as JsonValue } : summary(run, end);
    await table(principal.workspaceId).change(run, change, [draftRow(type, { by: principal, at }, body)]);
    // What it waits for may have been decided before it waited.
    if (end.end === 'parked') wake(principal.workspaceId);
    else parts.onMoved?.(run);
    if (end.end !== 'parked') wakeLoop(run);
  }

  /** Until the run is stored and begun, sweeps of this process must not mistake it for an abandoned one. */
  async function whileStarting<Value>(id: string, start: () => Promise<Value>): Promise<Value> {
    starting.add(id);
    return start().finally(() => starting.delete(id));
  }

  async function take(open: OpenRun): Promise<void> {
    if (isHere(open.id) || closing.signal.aborted || !(await isReady(parts, open, isHere))) return;
    const runs = table(open.workspaceId);
    const before = await runs.find(open.id);
    if (before?.lease !== open.lease || before.status !== open.status || isHere(open.id)) return;
    await whileStarting(open.id, async () => {
      const resumed = draftRow(
        'run.resumed',
        { by: before.principal, at: now() },
        { runId: open.id, lease: open.lease + 1 },
      );
      // Otherwise it waited, and what it waited for has come.
      const isTakeover = isHeld(before.status) && before.owner !== instance.id;
      const takeovers = isTakeover ? [...before.takeovers, now().toISOString()].slice(-maxTakeovers) : undefined;
      const run = await runs.claim(open, { owner: instance.id, ...defined({ takeovers }) }, [resumed]);
      if (!run) return;
      begin(run, { waits: before.waits });
      if (isHeld(before.status)) return;
      parts.onMoved?.(run);
      wakeLoop(run);
    });
  }

  async function sweep(workspaceId?: string): Promise<void> {
    const here = active.ids();
    const open = await storage.system.listOpenRuns();
    const openIds = new Set(open.map(({ id }) => id));
    // Somebody has cancelled it through another process.
    for (const id of here) if (!openIds.has(id)) active.stop(id);
    for (const run of open) if (workspaceId === undefined || run.workspaceId === workspaceId) await take(run);
  }

  function wake(workspaceId: string): void {
    if (!closing.signal.aborted) active.keep(sweep(workspaceId).catch(reportError));
  }

  /** The loop of an agent that waits with this program. */
  function wakeLoop({ principal, mode }: StoredRun): void {
    if (principal.task !== undefined && mode !== 'agent') wake(principal.workspaceId);
  }

  /** Also tells an issue that waits with the run: nobody can answer it any more. */
  async function stop(principal: Principal, run: StoredRun): Promise<void> {
    const stopped = await stopRun(parts, principal, run);
    active.stop(run.id);
    parts.onMoved?.(stopped);
    wakeLoop(run);
  }

  /** What every run begins with. */
  async function newRun(principal: Principal, { mode, code }: Pick<StoredRun, 'mode' | 'code'>): Promise<StoredRun> {
    const { policyVersion } = await parts.configurations.getFresh(principal.workspaceId);
    return {
      id: newId(),
      principal,
      mode,
      status: 'running',
      code,
      tools: {},
      declarations: '',
      replayVersion,
      policyVersion,
      seed: 0,
      limits: {},
      owner: instance.id,
      lease: 1,
      takeovers: [],
      waits: [],
      logs: [],
      startedAt: now().toISOString(),
    };
  }

  /** Stores the run, unless the principal has one with its key, and begins it. */
  async function insert(run: StoredRun, program?: ExecutableProgram): Promise<StoredRun> {
    const { id, principal, mode, code, intent, plan, issues = [] } = run;
    const at = new Date(run.startedAt);
    const isRefused = run.status === 'refused';
    const facts = { runId: id, mode, codeHash: sha256(code), ...defined({ intent, plan }) };
    const refused = { ...facts, issues: issues.slice(0, 20).map((issue) => ({ ...issue })) };
    const event = isRefused
      ? draftRow('run.refused', { by: principal, at }, refused)
      : draftRow('run.started', { by: principal, at }, facts);
    return whileStarting(id, async () => {
      const inserted = await insertWithPlan(table(principal.workspaceId), { run, event, now: at });
      if (inserted.created && !isRefused) begin(inserted.run, { waits: [], program });
      return inserted.run;
    });
  }

  async function insertProgram(principal: Principal, request: StartRun, options: RunOptions): Promise<StoredRun> {
    const { code, intent, idempotencyKey, plan } = request;
    const mode = request.mode === 'plan' ? 'plan' : 'run';
    if (mode === 'plan' && plan !== undefined)
      throw new HelveError('invalid_input', 'A plan cannot follow another plan', {
        hint: 'Leave out plan to make a new plan, or mode to make the effects of that plan.',
      });
    const prepared = await parts.prepare(principal, code, options.signal);
    const begun = await newRun(principal, { mode, code });
    const run: StoredRun = {
      ...begun,
      tools: prepared.tools,
      declarations: prepared.declarations,
      seed: Math.floor(Math.random() * 2 ** 47),
      limits: { ...chooseLimits(request.limits, parts.limits ?? defaultRunLimits) },
      ...defined({ intent, plan, idempotencyKey: idempotencyKey && scopeKey(principal, idempotencyKey) }),
    };
    if (prepared.ok) return sameProgram(await insert(run, prepared.program), run);
    const { owner: _, ...unowned } = run;
    const end = ended(new Date(run.startedAt));
    return sameProgram(await insert({ ...unowned, status: 'refused', issues: prepared.issues, ...end }), run);
  }

  async function insertWork(
    principal: Principal,
    { work, key, intent }: Omit<StartAgentRun, 'work'> & { readonly work: AgentWork | FixedCalls },
  ): Promise<StoredRun> {
    const begun = await newRun(principal, { mode: 'agent', code: JSON.stringify(work) });
    return insert({ ...begun, idempotencyKey: scopeKey(principal, key), ...defined({ intent }) });
  }

  return {
    findStarted: async (principal, key) =>
      (await table(principal.workspaceId).findByKey({ principal, idempotencyKey: scopeKey(principal, key) }))?.id,
    startAgent: async (principal, start) => view(principal, await insertWork(principal, start)),
    startCalls: async (principal, { calls, ...start }) =>
      view(principal, await insertWork(principal, { ...start, work: { calls } })),
    async startCall(principal, { tool, input, key, attempt, intent, door }) {
      const code = JSON.stringify({ calls: [{ tool, input }], door });
      const begun = await newRun(principal, { mode: 'call', code });
      const idempotencyKey = scopeKey(principal, key, attempt);
      const run = sameProgram(await insert({ ...begun, idempotencyKey, ...defined({ intent }) }), begun);
      return { run: await view(principal, run), isNew: run.id === begun.id };
    },
    async runCode(principal, request, options = {}) {
      if (request.mode === 'check') return checkOnly(parts, { principal, code: request.code }, options.signal);
      const run = await insertProgram(principal, request, options);
      options.onStart?.(run.id);
      const stop = options.onCall ? active.onCall(run.id, options.onCall) : undefined;
      await active.settled(run.id, options.signal);
      stop?.();
      return view(principal, (await table(principal.workspaceId).find(run.id)) ?? run);
    },
    getRun: async (principal, id) => view(principal, await getStored(principal, id)),
    async listRuns(principal, { principal: of, before, limit = defaultListed, ...filter } = {}) {
      const mine = principal.permissions.includes('audit:read') ? of : principal.id;
      if (of !== undefined && of !== mine) return [];
      const max = Math.min(Math.max(1, limit), maxListed);
      const at = now();
      const getConfiguration = computedOnce(() => parts.configurations.getFresh(principal.workspaceId));
      const configuration = filter.plan === undefined ? undefined : await getConfiguration();
      const isSeen = (run: StoredRun): boolean => {
        const own = isOwnRun(principal, run);
        if (mine === principal.id && !own) return false;
        if (configuration === undefined) return true;
        // As in the list of approvals: what uses another person's account is not asked of this one.
        return isOpenPlan(run.planned, at) && (own || seesEffects(configuration, principal, run));
      };
      const seen: StoredRun[] = [];
      // Runs that the agent made for other people are skipped, and later runs fill the page.
      for (let last = before; seen.length < max; ) {
        const query = { ...filter, limit: max, ...defined({ before: last, principalId: mine }) };
        const found = await table(principal.workspaceId).list(query);
        seen.push(...found.filter(isSeen));
        if (found.length < max) break;
        last = found.at(-1)?.id;
      }
      return Promise.all(seen.slice(0, max).map((run) => view(principal, run, getConfiguration)));
    },
    async *followRun(principal, id, signal): AsyncIterable<RunEvent> {
      let known = '';
      const calls = new Map<number, string>();
      while (!signal?.aborted && !closing.signal.aborted) {
        const changed = active.changed(id, followMs, signal);
        const run = await view(principal, await getStored(principal, id));
        const state = JSON.stringify([run.status, run.waits]);
        if (state !== known) yield { type: 'run', run };
        known = state;
        for (const call of run.calls) {
          const text = JSON.stringify(call);
          if (calls.get(call.number) === text) continue;
          calls.set(call.number, text);
          yield { type: 'call', runId: id, call };
        }
        if (run.finishedAt !== undefined) {
          yield { type: 'settled', run };
          return;
        }
        await changed;
      }
    },
    async cancelRun(principal, id) {
      await stop(principal, await getStored(principal, id));
      return view(principal, await getStored(principal, id));
    },
    async decideRun(principal, id, decision) {
      const run = await getStored(principal, id);
      if (decision.decision === 'stop') await stop(principal, run);
      else {
        const passed = passOn(run, decision);
        const asked = passed ? await getStored(principal, passed.runId) : run;
        await decide(parts, { principal, run: asked, decision: passed?.decision ?? decision });
      }
      await sweep(principal.workspaceId);
      return view(principal, await getStored(principal, id));
    },
    async start() {
      await sweep();
      timer = setInterval(() => {
        sweeping ??= sweep()
          .catch(reportError)
          .finally(() => {
            sweeping = undefined;
          });
      }, parts.sweepMs ?? defaultSweepMs).unref();
    },
    wake,
    async close() {
      clearInterval(timer);
      closing.abort();
      await sweeping;
      await active.idle();
    },
  };
}

/** Whether the sandbox runs it: `call` and `agent` are run by Helve itself. */
const isProgram = ({ mode }: Pick<StoredRun, 'mode'>): boolean => mode !== 'agent' && mode !== 'call';

/**
 * Returns the run that has the key. Throws `conflict` if that is of another program or call: the caller would get an answer to
 * something else.
 */
function sameProgram(found: StoredRun, asked: StoredRun): StoredRun {
  if (found.mode === asked.mode && found.plan === asked.plan && readProgram(found) === readProgram(asked)) return found;
  throw new HelveError(
    'conflict',
    `This idempotency key was used to start the run ${found.id}, which is for another program or call`,
    {
      hint: 'Use another key for another program, mode, plan or call.',
    },
  );
}

/** The same call can be sent again through another door. */
const readProgram = ({ mode, code }: StoredRun): string =>
  mode === 'call' ? JSON.stringify((JSON.parse(code) as FixedCalls).calls) : code;

const isOwnRun = (principal: Principal, { principal: owner }: StoredRun): boolean =>
  isOwn(principal, { actor: owner, onBehalfOf: owner.onBehalfOf });

/** The key of a start belongs to the principal and to the person that it acts for. Only a call has attempts after the first. */
const scopeKey = ({ onBehalfOf }: Principal, key: string, attempt = 1): string =>
  sha256(JSON.stringify([onBehalfOf?.id, key, ...(attempt === 1 ? [] : [attempt])]));

interface Beginning {
  /** What the run waited for until now. */
  readonly waits: readonly RunWait[];
  /** Present if the run was just created. */
  readonly program?: ExecutableProgram | undefined;
  /** How often the sandbox's thread or process failed in which it ran here. */
  readonly failures?: number;
}

async function compileAgain({ compile }: RunsParts, { code, mode }: StoredRun): Promise<ExecutableProgram> {
  if (!isProgram({ mode })) return { code, place: (found) => found };
  const compiled = await compile(code);
  if (compiled.issue) throw new HelveError('internal', `A program that ran cannot be read: ${compiled.issue.message}`);
  return compiled;
}

type OpenRun = Awaited<ReturnType<Storage['system']['listOpenRuns']>>[number];

/** Whether a process can go on with the run: its owner is dead, or what it waits for has come. */
async function isReady(
  { storage, instance }: RunsParts,
  run: OpenRun,
  isActive: (id: string) => boolean,
): Promise<boolean> {
  if (isHeld(run.status)) {
    if (run.owner === undefined || run.owner === instance.id) return !isActive(run.id);
    return !(await instance.isAlive(run.owner));
  }
  const now = (await storage.now()).toISOString();
  if (run.wakeAt !== undefined && run.wakeAt <= now) return true;
  const { approvals, runs } = storage.workspace(run.workspaceId);
  for (const wait of run.waits) {
    if (wait.for !== 'time' && wait.within) {
      if (hasMovedOn(wait, await runs.find(wait.within.runId))) return true;
      continue;
    }
    if (wait.for !== 'approval') continue;
    const approval = await approvals.find(wait.approvalId);
    if (approval?.status !== 'pending' || approval.expiresAt <= now) return true;
  }
  const asked = new Set(run.waits.flatMap((wait) => (isAnsweredInLedger(wait) ? [wait.number] : [])));
  if (asked.size === 0) return false;
  const steps = await runs.outline(run.id);
  return steps.some(
    (step) => step.kind === 'call' && asked.has(step.number) && (step.cleared || step.answer !== undefined),
  );
}

const isAnsweredInLedger = (wait: RunWait) =>
  (wait.for === 'doubt' || wait.for === 'answer') && wait.within === undefined;

/** Without its plan, a run would make any effects. */
const planIsGone: RunError = {
  name: 'PlanError',
  message: `The plan that this run follows is no longer stored: it was made more than ${keptMs / dayMs} days ago`,
  code: 'expired',
  hint: 'Look at its calls, and make a new plan for what is left to do.',
};

/** Why a run cannot go on at all. */
async function findObstacle({ storage, now, isWanted }: RunsParts, run: StoredRun): Promise<RunError | undefined> {
  if (run.replayVersion !== replayVersion)
    return {
      name: 'ReplayError',
      message: 'This run was started by a version of Helve that ran programs differently, so it cannot be continued',
      code: 'diverged',
      hint: 'Look at its calls, and start a new run for what is left to do.',
    };
  const { principal } = run;
  const lost = await findLostRight({ storage, now }, principal);
  if (lost) return lost;
  if (isWanted && !(await isWanted(principal)))
    return { name: 'TaskError', message: 'The issue is no longer worked on', code: 'cancelled' };
  return undefined;
}

async function checkOnly(
  parts: RunsParts,
  { principal, code }: { readonly principal: Principal; readonly code: string },
  signal: AbortSignal | undefined,
): Promise<Run> {
  const { ok, issues } = await parts.prepare(principal, code, signal);
  const { kind, id, name } = principal;
  const at = parts.now().toISOString();
  return {
    id: newId(),
    mode: 'check',
    status: ok ? 'succeeded' : 'refused',
    principal: { kind, id, name },
    code,
    startedAt: at,
    finishedAt: at,
    logs: [],
    calls: [],
    waits: [],
    issues,
  };
}

function ended(at: Date): Required<Pick<RunChange, 'finishedAt' | 'expiresAt'>> {
  return { finishedAt: at.toISOString(), expiresAt: new Date(at.getTime() + keptMs).toISOString() };
}

function describeEnd(run: StoredRun, end: Exclude<StayEnd, { end: 'lost' | 'displaced' }>, at: Date): RunChange {
  const { logs } = end;
  if (end.end === 'parked') {
    const status = end.waits.some((wait) => wait.for === 'doubt') ? 'in_doubt' : 'waiting';
    return { status, logs, waits: end.waits, ...defined({ wakeAt: end.wakeAt }) };
  }
  const facts = { status: end.end, logs, waits: [], ...ended(at) };
  if (end.end !== 'succeeded') return { ...facts, error: end.error };
  if (run.mode !== 'plan') return { ...facts, ...defined({ value: end.value }) };
  const expiresAt = new Date(at.getTime() + planLifetimeMs).toISOString();
  // A plan without effects needs no approval.
  const status = end.effects.length === 0 ? 'approved' : 'pending';
  return { ...facts, ...defined({ value: end.value }), planned: { effects: end.effects, status, expiresAt } };
}

function summary(run: StoredRun, end: Exclude<StayEnd, { end: 'lost' | 'displaced' | 'parked' }>) {
  const facts = { runId: run.id, mode: run.mode, status: end.end };
  return end.end === 'succeeded' ? facts : { ...facts, error: { ...end.error } };
}

async function stopRun(parts: RunsParts, principal: Principal, run: StoredRun): Promise<StoredRun> {
  const at = parts.now();
  const event = draftRow('run.finished', { by: principal, at }, { runId: run.id, mode: run.mode, status: 'cancelled' });
  const runs = parts.storage.workspace(run.principal.workspaceId).runs;
  const stopped = await runs.cancel(run.id, ended(at), [event]);
  if (stopped) return stopped;
  throw new HelveError('conflict', 'The run has already ended');
}

async function readPlan({ storage }: RunsParts, workspaceId: string, id: string): Promise<FollowedPlan | undefined> {
  const plan = await storage.workspace(workspaceId).runs.find(id);
  if (plan?.planned === undefined) return undefined;
  return { runId: id, policyVersion: plan.policyVersion, plannedAt: plan.startedAt, effects: plan.planned.effects };
}

/** The plan that the run follows is used up in the commit that starts the run. Throws `not_found` or `conflict`. */
async function insertWithPlan(runs: RunTable, { run, event, now }: { run: StoredRun; event: AuditDraft; now: Date }) {
  const { plan: id, status } = run;
  const follows = id !== undefined && status === 'running';
  const plan = follows ? await runs.find(id) : undefined;
  if (follows && (plan?.planned === undefined || !isOwnRun(run.principal, plan)))
    throw new HelveError('not_found', `You have no plan ${JSON.stringify(id.slice(0, 100))}`);
  const obstacle = plan && findPlanObstacle(plan, run, now);
  const change = plan?.planned && { from: plan.planned, to: { ...plan.planned, status: 'used' as const } };
  const earlier = obstacle === undefined ? undefined : await runs.findByKey(run);
  if (earlier) return { run: earlier, created: false };
  const inserted = obstacle === undefined ? await runs.insert(run, [event], change) : undefined;
  if (inserted) return inserted;
  throw new HelveError('conflict', obstacle ?? 'The plan has just been used by another run', {
    hint: 'Make a new plan with mode "plan", and have it approved.',
  });
}

function findPlanObstacle({ planned, code, declarations, policyVersion }: StoredRun, run: StoredRun, now: Date) {
  if (planned?.status !== 'approved') return `The plan is ${planned?.status ?? 'not finished'}, not approved`;
  if (planned.expiresAt <= now.toISOString()) return 'The plan has expired';
  if (code !== run.code) return 'The plan was made for another program';
  if (declarations !== run.declarations) return 'The tools have changed since the plan was made';
  return policyVersion === run.policyVersion ? undefined : 'The policies have changed since the plan was made';
}
