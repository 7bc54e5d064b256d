/** The person of the campaign: files issues, assigns agents, and answers what they ask. */
import { setTimeout as sleep } from 'node:timers/promises';
import { act, insist } from './crew.js';
import { inspected, storyOf, titleOf } from './stories.js';

const good = { type: 'object', properties: { good: { const: true } }, required: ['good'] };

/** Files the issue and gives it to its agent, unless a process that died had done so. */
export const file = (crew, issue) =>
  insist(async () => {
    const { agent, attempts } = storyOf(issue);
    const title = titleOf(issue);
    const { issues } = await act(crew, 'listIssues', { text: title });
    const checks = attempts.length > 1 ? [{ kind: 'tool', tool: inspected, arguments: { issue }, schema: good }] : [];
    const { id, state } = issues[0] ?? (await act(crew, 'createIssue', { title, checks }));
    if (state === 'idle') await act(crew, 'assignIssue', id, { agent });
  });

/** Answers and approves until it is stopped. `problems`: what it could not do. */
export function startPerson(crew) {
  const problems = [];
  let isStopped = false;

  async function decide({ waitsFor }) {
    const { for: what, runId, number, approvalId } = waitsFor ?? {};
    if (what === 'answer') await act(crew, 'decideRun', runId, { decision: 'answer', number, text: 'The blue one' });
    else if (what === 'approval') await act(crew, 'decideApproval', approvalId, 'approved', 'api');
    else if (what !== undefined) problems.push(`An issue waits for ${JSON.stringify(waitsFor)}`);
  }

  async function look() {
    const { issues } = await act(crew, 'listIssues', { state: 'executing', limit: 200 });
    // Decisions that were made already stay.
    for (const issue of issues)
      if (/^waiting/.test(issue.phase ?? ''))
        await decide(issue).catch((error) => {
          if (!error.isDead && error.code !== 'conflict') problems.push(`${error.code}: ${error.message}`);
        });
  }

  const running = (async () => {
    while (!isStopped) {
      await look().catch((error) => error.isDead || problems.push(String(error)));
      await sleep(200);
    }
  })();
  return {
    problems,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Whether none of the issues can continue by itself any more. */
export async function areOver(crew) {
  for (const state of ['idle', 'preparing', 'executing', 'verifying'])
    if ((await act(crew, 'listIssues', { state, limit: 1 })).issues.length > 0) return false;
  return true;
}

/** All issues. */
export const readIssues = (crew) =>
  insist(async () => {
    const all = [];
    for (let after; ; ) {
      const page = await act(crew, 'listIssues', { limit: 200, ...(after && { after }) });
      all.push(...page.issues);
      after = page.next;
      if (!after) return all;
    }
  });
