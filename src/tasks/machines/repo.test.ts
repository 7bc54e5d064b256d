import { describe, expect, it } from 'vitest';
import type { ActorEvent } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { statesOf, walk } from '../testing/walk.js';
import { repoMachine } from './repo.js';

const webhook = (event: string, subject: JsonObject = {}) => ({
  type: 'WEBHOOK_RECEIVED',
  event,
  subject: { ref: 'github:acme/shop#12', ...subject },
});

function effectsOf(input: JsonObject, ...events: readonly ActorEvent[]) {
  let step = repoMachine.transition(
    repoMachine.initial({ id: 'github:acme/shop', org: 'github:acme', ...input }),
    events[0]!,
  );
  for (const event of events.slice(1)) step = repoMachine.transition(JSON.parse(JSON.stringify(step[0])), event);
  return step[1];
}

const issue = { kind: 'issue', id: 'github:acme/shop#12' };

describe('R-levels: a repository', () => {
  it('R-machines: turns events into issues and pull requests by its triggers', () => {
    expect(effectsOf({ project: 'board' }, webhook('issues.opened'))).toEqual([
      {
        do: 'start',
        actor: issue,
        input: { id: issue.id, org: 'github:acme', repo: 'github:acme/shop', project: 'board' },
      },
      { do: 'send', to: { kind: 'project', id: 'board' }, event: { type: 'ISSUE_FILED', issue: issue.id } },
    ]);
    expect(effectsOf({}, webhook('pull_request.opened', { issue: 'iss_1' }))).toEqual([
      {
        do: 'start',
        actor: { kind: 'pr', id: issue.id },
        input: { id: issue.id, repo: 'github:acme/shop', issue: 'iss_1', head: null, draft: false },
      },
    ]);
    expect(effectsOf({}, webhook('issues.labeled'))).toEqual([]);
    const triggers = [{ on: 'issues.labeled', label: 'agent', opens: 'issue' }];
    expect(effectsOf({ triggers }, webhook('issues.labeled', { labels: ['agent'] }))).toHaveLength(1);
    expect(effectsOf({ triggers }, webhook('issues.labeled', { labels: ['other'] }))).toEqual([]);
    expect(effectsOf({ triggers }, webhook('issues.opened', { labels: ['agent'] }))).toEqual([]);
  });

  it('R-levels: the first rule that matches by label, author and path assigns its agent', () => {
    const autoAssign: readonly JsonObject[] = [
      { label: 'bug', author: 'ann', agent: 'fixer' },
      { path: 'docs/', agent: 'writer' },
      { path: 'README.md', agent: 'writer' },
      { label: 'bug', agent: 'coder' },
    ];
    const agentOf = (subject: JsonObject) => {
      const assigned = effectsOf({ autoAssign }, webhook('issues.opened', subject)).find(
        (effect) => effect.do === 'send',
      );
      if (assigned) expect(assigned).toMatchObject({ to: issue, event: { type: 'ASSIGN_AGENT' } });
      return assigned?.event.agent;
    };
    expect(agentOf({ labels: ['bug'], author: 'ann' })).toBe('fixer');
    expect(agentOf({ labels: ['bug'], author: 'bob' })).toBe('coder');
    expect(agentOf({ paths: ['docs/guide.md'] })).toBe('writer');
    expect(agentOf({ paths: ['README.md'] })).toBe('writer');
    expect(agentOf({ paths: ['docs.md', 'a/README.md'] })).toBeUndefined();
    expect(agentOf({ author: 'ann' })).toBeUndefined();
  });

  it('R-machines: opens nothing while it is paused', () => {
    expect(effectsOf({}, { type: 'PAUSE' }, webhook('issues.opened'))).toEqual([]);
    expect(effectsOf({}, { type: 'PAUSE' }, { type: 'RESUME' }, webhook('issues.opened'))).toHaveLength(1);
  });

  it('R-machines: reads what was not told also while it is paused, and knows until when it has', () => {
    const work = [{ do: 'work', name: 'catch_up', input: { repo: 'github:acme/shop' } }];
    expect(effectsOf({}, { type: 'CATCH_UP' })).toEqual(work);
    expect(effectsOf({}, { type: 'PAUSE' }, { type: 'CATCH_UP' })).toEqual(work);
    const [{ context }] = repoMachine.transition(repoMachine.initial({}), { type: 'CAUGHT_UP', until: '2026-11-29' });
    expect(context.caughtUp).toBe('2026-11-29');
  });

  it('R-machines: every event in every state', () => {
    const steps = walk({
      machine: repoMachine,
      input: { id: 'r', autoAssign: [{ agent: 'coder' }] },
      events: [
        { type: 'PAUSE' },
        { type: 'RESUME' },
        { type: 'CONFIGURED', toolConfig: { disabled: ['twitter'] }, triggers: [] },
        { type: 'CONFIGURED', autoAssign: [], project: 'p' },
        webhook('issues.opened'),
        webhook('pull_request.opened'),
      ],
    });
    expect(statesOf(steps)).toEqual(['active', 'paused']);
    for (const { from, effects } of steps) if (from.value === 'paused') expect(effects).toEqual([]);
  });
});
