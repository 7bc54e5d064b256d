/**
 * For kills: what a process does for issues. Its agents are scripted by the number of the issue: every fifth is rejected once, fails
 * once, waits for an app, or asks a person; the others just work. Each effect is a request to a counterpart, under a key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActorEvent, ActorHost, ActorJob } from '../domain/actor-host.js';

/** How many effects an agent makes in an attempt. */
export const stepsOfAttempt = 6;
const askAfter = 3;

export const storyOf = (issue: string): number => Number(issue.replace(/\D/g, '')) % 5;

export interface Effect {
  readonly key: string;
  readonly issue: string;
  readonly what: string;
}

export function workOnIssues(host: ActorHost, counterpart: string): void {
  async function effect({ actor, id, signal }: ActorJob, what: string): Promise<{ readonly connected: boolean }> {
    const body: Effect = { key: `${id}/${what}`, issue: actor.id, what };
    await sleep(Math.random() * 10, undefined, { signal });
    const answer = await fetch(counterpart, { method: 'POST', body: JSON.stringify(body), signal });
    return (await answer.json()) as { readonly connected: boolean };
  }

  host.work('prepare', async (job): Promise<ActorEvent> => {
    const { connected } = await effect(job, 'prepare');
    return connected ? { type: 'TOOLS_READY', tools: ['git'] } : { type: 'TOOLS_MISSING', missing: ['github'] };
  });
  host.work('execute', async (job): Promise<ActorEvent> => {
    const story = storyOf(job.actor.id);
    const { attempt, answer } = job.input;
    const isAnswered = answer !== null && answer !== undefined;
    const asks = story === 3 && !isAnswered;
    for (let step = isAnswered ? askAfter + 1 : 1; step <= (asks ? askAfter : stepsOfAttempt); step++) {
      await effect(job, `step ${String(attempt)}.${step}`);
      await job.heartbeat({ step });
    }
    if (asks) return { type: 'WAITING_FOR_ANSWER', waitsFor: { question: 'Which one?' } };
    if (story === 1 && attempt === 1) return { type: 'FAILED', error: 'It did not work' };
    return { type: 'COMPLETED', result: { branch: job.actor.id } };
  });
  host.work('verify', async (job): Promise<ActorEvent> => {
    const { attempt } = job.input;
    await effect(job, `verify ${String(attempt)}`);
    if (storyOf(job.actor.id) === 0 && attempt === 1) return { type: 'REJECTED', reasons: ['A test is missing'] };
    return { type: 'VERIFIED', evidence: { checks: 'green' } };
  });
  host.work('report', async (job) => {
    await effect(job, `report ${String(job.input.state)}`);
    return undefined;
  });
}
