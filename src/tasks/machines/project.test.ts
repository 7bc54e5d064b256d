import { describe, expect, it } from 'vitest';
import type { ActorEffect, ActorEvent, ActorSnapshot } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { statesOf, walk } from '../testing/walk.js';
import { projectMachine } from './project.js';

function after(input: JsonObject, ...events: readonly ActorEvent[]) {
  let snapshot: ActorSnapshot = projectMachine.initial(input);
  let effects: readonly ActorEffect[] = [];
  for (const event of events)
    [snapshot, effects] = projectMachine.transition(JSON.parse(JSON.stringify(snapshot)), event);
  const columns = snapshot.context.columns as { name: string; issues: string[] }[];
  const board = Object.fromEntries(
    columns.filter(({ issues }) => issues.length > 0).map(({ name, issues }) => [name, issues]),
  );
  return { effects, board, value: snapshot.value, context: snapshot.context, columns: columns.map(({ name }) => name) };
}

const changed = (issue: string, state: string, more: JsonObject = {}) => ({
  type: 'ISSUE_CHANGED',
  issue,
  state,
  ...more,
});

describe('R-levels: a project', () => {
  it('R-machines: moves the card as the state changes, and a closed issue leaves the board', () => {
    expect(after({}, changed('i', 'idle')).board).toEqual({ 'To do': ['i'] });
    const working = [changed('i', 'preparing'), changed('j', 'preparing'), changed('i', 'executing')];
    expect(after({}, ...working).board).toEqual({ 'In progress': ['i', 'j'] });
    expect(after({}, ...working, changed('i', 'verifying')).board).toEqual({
      'In progress': ['j'],
      'In review': ['i'],
    });
    expect(after({}, ...working, changed('i', 'done'))).toMatchObject({
      board: { 'In progress': ['j'] },
      context: { closed: 1 },
    });
  });

  it('R-machines: has its own workflow and columns, and a column with issues is never lost', () => {
    const input = { columns: ['Doing'], workflow: { executing: 'Doing', failed: 'Broken' } };
    const board = [changed('i', 'executing'), changed('j', 'failed')];
    expect(after(input, ...board).board).toEqual({ Doing: ['i'], Broken: ['j'] });
    const named = after(input, ...board, { type: 'CONFIGURED', columns: ['New', 'Doing'] });
    expect(named.columns).toEqual(['New', 'Doing', 'Broken']);
  });

  it('R-machines: shows a new issue once, wherever it is', () => {
    const filed = { type: 'ISSUE_FILED', issue: 'i' };
    expect(after({}, filed, filed).board).toEqual({ 'To do': ['i'] });
    expect(after({}, changed('i', 'executing'), filed).board).toEqual({ 'In progress': ['i'] });
    expect(after({ workflow: { executing: 'Doing' } }, filed).board).toEqual({});
  });

  it('R-machines: an issue that goes to another project leaves the board, and makes room', () => {
    const full = [changed('i', 'preparing'), changed('j', 'preparing')];
    const left = after({ maxRunning: 1 }, ...full, changed('j', 'blocked', { limit: 'project' }), {
      type: 'ISSUE_LEFT',
      issue: 'i',
    });
    expect(left).toMatchObject({ board: { Blocked: ['j'] }, context: { closed: 0, running: [] } });
    expect(left.effects).toEqual([{ do: 'send', to: { kind: 'issue', id: 'j' }, event: { type: 'TOOLS_CHANGED' } }]);
    expect(after({}, changed('i', 'idle'), { type: 'ISSUE_LEFT', issue: 'other' }).board).toEqual({ 'To do': ['i'] });
  });

  it('R-levels: does what its rules say when a person moves a card, and not when the state moves it', () => {
    const input: JsonObject = {
      id: 'p',
      automation: [
        { column: 'In progress', do: 'assign', agent: 'coder', agentId: 'a', onBehalfOf: { id: 'ann' } },
        { column: 'Blocked', do: 'assign' },
        { column: 'Cancelled', do: 'cancel' },
      ],
    };
    const moved = (column: string) => ({ type: 'CARD_MOVED', issue: 'i', column });
    const to = { kind: 'issue', id: 'i' };
    expect(after(input, changed('i', 'idle'), moved('In progress')).effects).toEqual([
      {
        do: 'send',
        to,
        event: {
          type: 'ASSIGN_AGENT',
          agent: 'coder',
          assignment: { by: 'p', agentId: 'a', onBehalfOf: { id: 'ann' } },
        },
      },
    ]);
    // The agent that it has, and the person for whom that one works.
    expect(after(input, moved('Blocked')).effects).toEqual([{ do: 'send', to, event: { type: 'ASSIGN_AGENT' } }]);
    expect(after(input, moved('Cancelled')).effects).toEqual([{ do: 'send', to, event: { type: 'CANCEL' } }]);
    expect(after(input, changed('i', 'preparing')).effects).toEqual([]);
    // It is there already.
    expect(after(input, moved('In progress'), moved('In progress')).effects).toEqual([]);
  });

  it('R-levels: limits how many issues are worked on at once', () => {
    const begun = [changed('i1', 'preparing'), changed('i2', 'preparing')];
    const full = after({ maxRunning: 1 }, ...begun);
    expect(full.value).toBe('full');
    expect(full.effects).toMatchObject([{ to: { id: 'i2' }, event: { type: 'WORK_REFUSED', by: 'project' } }]);
    const ended = after(
      { maxRunning: 1 },
      ...begun,
      changed('i2', 'blocked', { limit: 'project' }),
      changed('i1', 'failed'),
    );
    expect(ended.effects).toMatchObject([{ to: { id: 'i2' }, event: { type: 'TOOLS_CHANGED' } }]);
  });

  it('R-machines: every event in every state keeps each card in one column at most', () => {
    const events = ['i1', 'i2'].flatMap((issue) => [
      ...['idle', 'preparing', 'failed'].map((state) => changed(issue, state)),
      changed(issue, 'blocked', { limit: 'project' }),
    ]);
    const steps = walk({
      machine: projectMachine,
      input: { id: 'p', maxRunning: 1, automation: [{ column: 'Blocked', do: 'retry' }] },
      events: [...events, changed('i1', 'done'), { type: 'CARD_MOVED', issue: 'i1', column: 'Blocked' }],
      isFar: ({ context }) => Number(context.closed) > 0,
    });
    expect(statesOf(steps)).toEqual(['full', 'open']);
    for (const { to } of steps) {
      const cards = (to.context.columns as { issues: string[] }[]).flatMap(({ issues }) => issues);
      expect(new Set(cards).size).toBe(cards.length);
      expect((to.context.running as string[]).length).toBeLessThanOrEqual(1);
    }
  });
});
