import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { computed, defineRecord, from, listFrom, orElse } from './record.js';

const person = defineRecord({ id: z.string(), name: z.string(), email: z.string().optional() });
const issue = defineRecord({
  id: z.string(),
  author: from('user', person.shape.optional(), person.read),
  title: from('output.title', z.string().optional()),
  labels: from('labels', z.array(z.string()), (labels: readonly { name: string }[]) => labels.map(({ name }) => name)),
  is_open: computed(z.boolean(), (raw: { state: string }) => raw.state === 'open'),
});

test('a field is read from its own name, another place, or the whole object', () => {
  const raw = {
    id: 'a',
    user: { id: 'u', name: 'Ann', email: null, secret: 1 },
    output: { title: 'Hello' },
    labels: [{ name: 'bug' }],
    state: 'open',
  };
  const record = issue.read(raw);
  expect(record).toEqual({
    id: 'a',
    author: { id: 'u', name: 'Ann' },
    title: 'Hello',
    labels: ['bug'],
    is_open: true,
  });
  expect(issue.shape.parse(record)).toEqual(record);
});

test('null, a missing member and a place inside null are absent, and nothing is inherited', () => {
  const record = issue.read({ id: 'a', user: null, output: null, labels: [], state: 'closed' });
  expect(record).toEqual({ id: 'a', labels: [], is_open: false });
  const inherited = defineRecord({ toString: z.unknown(), name: from('constructor.name', z.unknown()) });
  expect(inherited.read({})).toEqual({});
});

test('a required field that the service leaves out fails the output schema', () => {
  expect(() => issue.shape.parse(issue.read({ labels: [], state: 'open' }))).toThrow(/id/);
});

test('a record that has more is declared from the fields of another', () => {
  const user = defineRecord({ ...person.fields, is_admin: from('admin', z.boolean()) });
  expect(user.read({ id: 'u', name: 'Ann', admin: true })).toEqual({ id: 'u', name: 'Ann', is_admin: true });
});

test('a list of records is read one by one, and what is absent may have a value in its place', () => {
  const team = defineRecord({
    members: listFrom('data.members', person),
    guests: orElse(listFrom('guests', person), []),
    motto: orElse(from('motto', z.string()), 'none'),
  });
  const raw = { data: { members: [{ id: 'a', name: 'Ann', secret: 1 }] }, motto: null };
  const read = team.read(raw);
  expect(read).toEqual({ members: [{ id: 'a', name: 'Ann' }], guests: [], motto: 'none' });
  expect(team.shape.parse(read)).toEqual(read);
  expect(team.read({ guests: [{ id: 'b' }], motto: '' })).toEqual({ guests: [{ id: 'b' }], motto: '' });
});

test('the types of what is read are those of the shape', () => {
  expectTypeOf<ReturnType<typeof person.read>>().toEqualTypeOf<{
    id: string;
    name: string;
    email?: string | undefined;
  }>();
  expectTypeOf<z.input<typeof issue.shape>['is_open']>().toEqualTypeOf<boolean>();
});
