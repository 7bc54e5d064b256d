/** A run as its readers see it. */
import type { PlannedEffect, Run, RunCall, RunPlanFacts, StoredPlan } from '../../domain/run.js';
import type { RunStep, StoredRun } from '../../domain/storage.js';
import { defined } from '../../util/defined.js';
import { readAnswer } from './answers.js';
import { listNumbers, nameNumbers } from './placeholders.js';

/** `live`: the calls in flight, which may not be in the ledger yet. */
export function showRun(
  run: StoredRun,
  {
    steps,
    live,
    url,
  }: { readonly steps: readonly RunStep[]; readonly live: readonly RunCall[]; readonly url: string | undefined },
): Run {
  const { kind, id, name } = run.principal;
  return {
    id: run.id,
    mode: run.mode,
    status: run.status,
    principal: { kind, id, name },
    code: run.code,
    startedAt: run.startedAt,
    logs: run.logs,
    calls: showCalls(run, steps, live),
    waits: run.waits,
    ...(run.takeovers.length === 0 ? {} : { takeovers: run.takeovers }),
    ...defined({
      intent: run.intent,
      finishedAt: run.finishedAt,
      value: run.value,
      error: run.error,
      issues: run.issues,
      planned: run.planned && showPlan(run.planned),
      plan: run.plan,
      issueId: run.principal.task?.issueId,
      url,
    }),
  };
}

type Shown = Pick<StoredRun, 'waits' | 'finishedAt'>;

function showCalls(run: Shown, steps: readonly RunStep[], live: readonly RunCall[]): RunCall[] {
  const calls = new Map<number, RunCall>();
  for (const wait of run.waits) {
    if (wait.number === undefined || wait.tool === undefined) continue;
    calls.set(wait.number, { number: wait.number, tool: wait.tool, status: 'waiting' });
  }
  for (const call of live) calls.set(call.number, call);
  for (const step of steps) if (step.kind === 'call') calls.set(step.number, showStep(step, run));
  return [...calls.values()].sort((one, other) => one.number - other.number);
}

/** The state of a call without an answer. One that was going on when its run ended may never get one. */
function openStatus({ number, executionId }: RunStep, { finishedAt, waits }: Shown): RunCall['status'] {
  // A question to a person, which is no execution.
  if (executionId === '') return 'waiting';
  const isInDoubt = finishedAt !== undefined || waits.some((wait) => wait.number === number && wait.for === 'doubt');
  return isInDoubt ? 'in_doubt' : 'running';
}

function showStep(step: RunStep, run: Shown): RunCall {
  const { number, tool, executionId, startedAt, answeredAt, attempts } = step;
  const answer = step.answer === undefined ? undefined : readAnswer(step.answer);
  const facts = {
    number,
    tool,
    startedAt,
    ...(executionId === '' ? {} : { executionId }),
    ...defined({ finishedAt: answeredAt }),
    ...(attempts > 1 ? { attempts } : {}),
  };
  if (answer === undefined) return { ...facts, status: openStatus(step, run) };
  if (!answer.ok) return { ...facts, status: 'failed', error: answer.error };
  return { ...facts, status: answer.effect ? 'planned' : 'ok' };
}

function showPlan({ effects, status, expiresAt }: StoredPlan): RunPlanFacts {
  const names = new Map(effects.flatMap(({ placeholder, number }) => listNumbers(placeholder, number)));
  const shown = effects.map(
    ({ placeholder: _, definition: __, ...effect }): PlannedEffect => ({
      ...effect,
      arguments: nameNumbers(effect.arguments, names),
    }),
  );
  return { effects: shown, status, expiresAt };
}
