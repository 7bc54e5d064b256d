/** One declaration gives the selection, the reader and the schema. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { at, defineLinearRecord, list, maybe, one } from './define-record.js';

const team = defineLinearRecord({ id: z.string(), key: z.string() });
const issue = defineLinearRecord({
  id: z.string(),
  due_date: z.string().optional(),
  is_open: at('open', z.boolean()),
  parent_id: at('parent.id', z.string().optional()),
  team: one('team', team),
  owner: maybe('lead', team, 'Who leads it'),
  others: list('teams', team, 5),
});

test('R-linear: a record selects what it reads', () => {
  expect(issue.selection).toBe(
    'id dueDate open parent { id } team { id key } lead { id key } teams(first: 5) { nodes { id key } pageInfo { hasNextPage } }',
  );
  const raw = {
    id: 'i',
    dueDate: '2026-01-31',
    open: true,
    parent: { id: 'p' },
    team: { id: 't', key: 'T', secret: 1 },
    lead: null,
    teams: { nodes: [{ id: 'u', key: 'U' }] },
  };
  const record = issue.read(raw);
  expect(record).toEqual({
    id: 'i',
    due_date: '2026-01-31',
    is_open: true,
    parent_id: 'p',
    team: { id: 't', key: 'T' },
    others: [{ id: 'u', key: 'U' }],
  });
  expect(issue.shape.parse(record)).toEqual(record);
  expect(issue.shape.shape.owner.description).toBe('Who leads it');
});

test('R-linear: a record that has more selects more', () => {
  const whole = defineLinearRecord({ ...issue.fields, time_zone: at('timezone', z.string()) });
  expect(whole.selection).toBe(`${issue.selection} timezone`);
  expect(whole.read({ id: 'i', timezone: 'UTC' })).toEqual({ id: 'i', time_zone: 'UTC' });
});
