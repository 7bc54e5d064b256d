/** A run as its readers see it. */
import type { PlannedEffect, Run, RunCall, RunPlanFacts, RunWait, StoredPlan } from '../../domain/run.js';
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
    calls: showCalls(run.waits, steps, live),
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

function showCalls(waits: readonly RunWait[], steps: readonly RunStep[], live: readonly RunCall[]): RunCall[] {
  const calls = new Map<number, RunCall>();
  for (const wait of waits) {
    if (wait.number === undefined || wait.tool === undefined) continue;
    calls.set(wait.number, { number: wait.number, tool: wait.tool, status: 'waiting' });
  }
  for (const call of live) calls.set(call.number, call);
  for (const step of steps)
    if (step.kind === 'call')
      calls.set(
        step.number,
        showStep(
          step,
          waits.find(({ number }) => number === step.number),
        ),
      );
  return [...calls.values()].sort((one, other) => one.number - other.number);
}

/** The state of a call without an answer while the run waits. */
const openStatus: Partial<Record<RunWait['for'], RunCall['status']>> = { doubt: 'in_doubt', answer: 'waiting' };

function showStep(step: RunStep, wait: RunWait | undefined): RunCall {
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
  if (answer === undefined) return { ...facts, status: (wait && openStatus[wait.for]) ?? 'running' };
  if (!answer.ok) return { ...facts, status: 'failed', error: answer.error };
  return { ...facts, status: answer.effect ? 'planned' : 'ok' };
}

function showPlan({ effects, status, expiresAt }: StoredPlan): RunPlanFacts {
  const names = new Map(effects.flatMap(({ placeholder, number }) => listNumbers(placeholder, number)));
  const shown = effects.map(
    ({ placeholder: _, ...effect }): PlannedEffect => ({
      ...effect,
      arguments: nameNumbers(effect.arguments, names),
    }),
  );
  return { effects: shown, status, expiresAt };
}
