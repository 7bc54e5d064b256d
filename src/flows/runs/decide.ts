/**
 * Decisions of a person about a waiting run: on an effect in doubt, on a question, or on a whole plan. Each is made
 * once.
 */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { maySee, type Principal } from '../../domain/principal.js';
import type { Run, RunDecision, RunPlanFacts, RunWait, StoredPlan } from '../../domain/run.js';
import type { Storage, StoredRun } from '../../domain/storage.js';
import { seesAccount } from '../../grants/index.js';
import { defined } from '../../util/defined.js';
import type { ConfigurationCache } from '../workspaces/index.js';
import { draftRow } from './record-row.js';

interface DecisionParts {
  readonly storage: Storage;
  readonly configurations: Pick<ConfigurationCache, 'getFresh'>;
  readonly now: () => Date;
}

interface Asked {
  /** Who decides. */
  readonly principal: Principal;
  readonly run: StoredRun;
  readonly decision: Exclude<RunDecision, { decision: 'stop' }>;
}

/**
 * Throws `conflict` if there is no such thing to decide, `not_found` if it concerns an account of somebody else, and
 * `invalid_input` for an answer that is not among the choices.
 */
export async function decide(parts: DecisionParts, asked: Asked): Promise<void> {
  const { decision } = asked;
  await requireAccounts(parts, asked);
  const isDecided =
    decision.decision === 'approve_plan' || decision.decision === 'reject_plan'
      ? await decidePlan(parts, asked, decision.decision === 'approve_plan' ? 'approved' : 'rejected')
      : await decideCall(parts, asked, decision);
  if (!isDecided)
    throw new HelveError('conflict', 'The run does not wait for this decision, or somebody else has made it', {
      hint: 'Read the run again to see what it waits for.',
    });
}

/** A run whose question concerns another person's private account looks like one that does not exist. */
async function requireAccounts(
  { storage, configurations }: DecisionParts,
  { principal, run, decision }: Asked,
): Promise<void> {
  const { workspaceId } = principal;
  const configuration = await configurations.getFresh(workspaceId);
  const wait = run.waits.find((one) => 'number' in decision && one.for === 'doubt' && one.number === decision.number);
  const isFor =
    wait?.for === 'doubt'
      ? await isForReader({ storage, configuration }, principal, wait)
      : seesEffects(configuration, principal, run);
  if (!isFor) throw noSuchRun(run.id);
}

/**
 * The run as somebody else than its owner sees it, with what they cannot decide marked as `forOthers`. `getConfiguration` is called only for
 * a run that has something to decide.
 */
export async function markForOthers(
  {
    storage,
    getConfiguration,
  }: Pick<DecisionParts, 'storage'> & { readonly getConfiguration: () => Promise<WorkspaceConfiguration> },
  principal: Principal,
  run: Run,
): Promise<Run> {
  const { waits, planned } = run;
  if (!planned && !waits.some((wait) => wait.for === 'doubt')) return run;
  const configuration = await getConfiguration();
  const mark = async (wait: RunWait): Promise<RunWait> => {
    if (wait.for !== 'doubt' || (await isForReader({ storage, configuration }, principal, wait))) return wait;
    return { ...wait, forOthers: true };
  };
  const isTheirs = seesEffects(configuration, principal, run);
  return {
    ...run,
    waits: await Promise.all(waits.map(mark)),
    ...defined({ planned: planned && (isTheirs ? planned : ({ ...planned, forOthers: true } as const)) }),
  };
}

/** Whether the principal may see the run: its own, or every one with the permission to read the record. */
export const maySeeRun = (principal: Principal, { principal: owner }: Pick<StoredRun, 'principal'>): boolean =>
  maySee(principal, { actor: owner, onBehalfOf: owner.onBehalfOf, workspaceId: owner.workspaceId });

/** Whether the principal sees the accounts of all effects that the run has planned. */
export const seesEffects = (
  configuration: Pick<WorkspaceConfiguration, 'connections'>,
  principal: Principal,
  { planned }: { readonly planned?: RunPlanFacts | undefined },
): boolean => planned?.effects.every(({ connectionId }) => seesAccount(configuration, principal, connectionId)) ?? true;

/** Whether a person can still decide about the plan. */
export const isOpenPlan = (planned: StoredPlan | undefined, now: Date): planned is StoredPlan =>
  planned?.status === 'pending' && planned.expiresAt > now.toISOString();

/** A run whose plan the principal may decide now; undefined if it may not, or if nothing is left to decide. */
export async function findDecidablePlan(
  { storage, configurations, now }: DecisionParts,
  principal: Principal,
  id: string,
): Promise<StoredRun | undefined> {
  if (!principal.permissions.includes('approvals:decide')) return undefined;
  const run = await storage.workspace(principal.workspaceId).runs.find(id);
  if (!run || !maySeeRun(principal, run) || !isOpenPlan(run.planned, now())) return undefined;
  const configuration = await configurations.getFresh(principal.workspaceId);
  return seesEffects(configuration, principal, run) ? run : undefined;
}

/** Whether the principal sees the account of a call in doubt, which the record of its start names. */
async function isForReader(
  { storage, configuration }: Pick<DecisionParts, 'storage'> & { readonly configuration: WorkspaceConfiguration },
  principal: Principal,
  { executionId }: Extract<RunWait, { for: 'doubt' }>,
): Promise<boolean> {
  const { audit } = storage.workspace(principal.workspaceId);
  const rows = await audit.search({ executionId, types: ['execution.started'] });
  return rows.every(
    ({ body: { connectionId } }) =>
      typeof connectionId !== 'string' || seesAccount(configuration, principal, connectionId),
  );
}

/** The same for every run that a principal may not see. */
export function noSuchRun(id: string): HelveError {
  return new HelveError('not_found', `There is no run ${JSON.stringify(id.slice(0, 100))}`, {
    hint: 'List your runs to see their ids.',
  });
}

async function decidePlan(
  { storage, now }: DecisionParts,
  { principal, run }: Asked,
  status: 'approved' | 'rejected',
): Promise<boolean> {
  const at = now();
  const { planned } = run;
  if (!isOpenPlan(planned, at)) return false;
  const event = record({ principal, run, at }, { decision: status, effects: planned.effects.length });
  return storage
    .workspace(principal.workspaceId)
    .runs.changePlan(run.id, { from: planned, to: { ...planned, status } }, [event]);
}

async function decideCall(
  { storage, now }: DecisionParts,
  { principal, run }: Asked,
  decision: Extract<RunDecision, { number: number }>,
): Promise<boolean> {
  const { number } = decision;
  const isAnswer = decision.decision === 'answer';
  const wait = run.waits.find((one) => one.for === (isAnswer ? 'answer' : 'doubt') && one.number === number);
  if (wait?.for !== 'doubt' && wait?.for !== 'answer') return false;
  if (wait.for === 'answer') requireChoice(wait, decision);
  const executionId = wait.for === 'doubt' ? wait.executionId : '';
  const at = now();
  const output = isAnswer ? decision.text : decision.decision === 'happened' ? (decision.output ?? null) : undefined;
  const answer = output === undefined ? undefined : JSON.stringify({ ok: true, output });
  const said: JsonObject = isAnswer ? { text: decision.text } : { executionId };
  const event = record({ principal, run, at }, { decision: decision.decision, number, tool: wait.tool, ...said });
  const facts = { number, executionId, at: at.toISOString(), ...defined({ answer }) };
  return storage.workspace(principal.workspaceId).runs.decide(run.id, facts, [event]);
}

function requireChoice({ choices }: Extract<RunWait, { for: 'answer' }>, decision: RunDecision): void {
  if (decision.decision !== 'answer' || choices === undefined || choices.includes(decision.text)) return;
  throw new HelveError('invalid_input', 'The program does not accept this answer', {
    hint: `It accepts: ${choices.join(', ')}.`,
  });
}

function record({ principal, run, at }: Pick<Asked, 'principal' | 'run'> & { at: Date }, body: JsonObject) {
  return draftRow('run.decided', { by: principal, at }, { runId: run.id, ...body });
}
