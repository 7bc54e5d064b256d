/** Memory through the whole pipeline: what is recalled, for whom, and who can remove it. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../domain/execution.js';
import type { Principal } from '../../../domain/principal.js';
import { resolveToolConfig } from '../../../tasks/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../../testing/index.js';
import { knowledge } from '../toolkit.js';
import { maxMemories } from './memories.js';
import { memory } from './toolkit.js';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(more: TestHelveOptions = {}): Promise<TestHelve> {
  const helve = await createTestHelve({ nativeToolkits: [knowledge, memory], ...more });
  open.push(() => helve.close());
  return helve;
}

/** A second agent with the same tools. */
async function addAgent({ plane, admin, execute }: TestHelve, slug: string) {
  await plane.createAgent(admin, { slug });
  await plane.changeGrants(admin, slug, { add: [{ toolkit: 'memory' }, { toolkit: 'knowledge' }] });
  return async (tool: string, input: object) =>
    output(await execute({ principal: { agent: slug, workspace: 'default' }, tool, input }));
}

const output = (result: ToolResult): any => (result.ok ? result.output : result.error);
const caller = (helve: TestHelve) => async (tool: string, input: object) => output(await helve.call(tool, input));
const textsOf = ({ memories }: { memories: { text: string }[] }) => memories.map(({ text }) => text);

describe('remember, recall, forget', () => {
  test('R-levels: what was remembered is found by its words, the newest without a query, and is gone once forgotten', async () => {
    const call = caller(await start());
    const { id, created } = await call('remember', { text: 'Ana wants her invoices in Spanish.', about: 'Ana' });
    expect(created).toBe(true);
    await call('remember', { text: 'The release is on Thursday.', about: 'shop' });
    expect(await call('remember', { text: 'Ana wants her invoices in Spanish.' })).toEqual({ id, created: false });
    const found = await call('recall', { query: 'which language for an invoice' });
    expect(found.memories).toMatchObject([{ id, scope: 'own', about: 'Ana', by: 'tester' }]);
    // By what it concerns, which its text does not say.
    expect(textsOf(await call('recall', { query: 'shop' }))).toEqual(['The release is on Thursday.']);
    expect(textsOf(await call('recall', {}))).toHaveLength(2);
    expect(await call('forget', { id })).toEqual({ forgotten: true });
    expect(await call('forget', { id })).toEqual({ forgotten: false });
    expect(textsOf(await call('recall', { query: 'invoice' }))).toEqual([]);
    expect(textsOf(await call('recall', {}))).toEqual(['The release is on Thursday.']);
  });

  test('attack: two who remember the same at the same moment lose nothing: it belongs to one, and the other is told', async () => {
    let resolve = (): void => {};
    const both = new Promise<void>((done) => {
      resolve = done;
    });
    let embedding = 0;
    const model = {
      modelId: 'waits-for-both',
      doEmbed: async ({ values }: { values: string[] }) => {
        embedding += 1;
        if (embedding === 2) resolve();
        await both;
        return { embeddings: values.map(() => [1, 0]) };
      },
    };
    const helve = await start({ models: { embedding: model } });
    const [one, other] = [caller(helve), await addAgent(helve, 'other')];
    const text = 'The office is in Ghent.';
    const kept = await Promise.all(
      [one, other].map((call, at) => call('remember', { text, scope: 'workspace', about: `as ${at} says` })),
    );
    expect(kept.map(({ created }) => created).toSorted()).toEqual([false, true]);
    const first = kept[0].created ? { by: 'tester', about: 'as 0 says' } : { by: 'other', about: 'as 1 says' };
    expect((await one('recall', { scope: 'workspace' })).memories).toMatchObject([{ text, ...first }]);
    const owner = kept[0].created ? one : other;
    expect(await owner('forget', { id: kept[0].id, scope: 'workspace' })).toEqual({ forgotten: true });
  });

  test('R-levels: with an embedding model it is found by what it means', async () => {
    const embedding = {
      modelId: 'money-or-not',
      doEmbed: async ({ values }: { values: string[] }) => ({
        embeddings: values.map((text) => (/allowance|spend/i.test(text) ? [1, 0] : [0, 1])),
      }),
    };
    const call = caller(await start({ models: { embedding } }));
    await call('remember', { text: 'The daily allowance is 28 euros.' });
    await call('remember', { text: 'The office is in Ghent.' });
    expect(textsOf(await call('recall', { query: 'How much may I spend', limit: 1 }))).toEqual([
      'The daily allowance is 28 euros.',
    ]);
  });

  test('R-levels attack: nobody recalls or forgets the own memory of another agent, or of the same agent for somebody else', async () => {
    const helve = await start();
    const secret = 'The combination of the safe is 7-1-9.';
    const { id } = await caller(helve)('remember', { text: secret });
    const other = await addAgent(helve, 'other');
    const forPerson = async (tool: string, input: object) => {
      const onBehalfOf = { kind: 'user' as const, id: 'ana', name: 'Ana' };
      return output(await helve.execute({ principal: { ...helve.agent, onBehalfOf }, tool, input }));
    };
    for (const call of [other, forPerson]) {
      expect(textsOf(await call('recall', {}))).toEqual([]);
      for (const input of [{}, { query: 'combination of the safe' }, { query: secret, scope: 'own' }])
        expect(JSON.stringify(await call('recall', input))).not.toContain('7-1-9');
      expect(await call('forget', { id })).toEqual({ forgotten: false });
      expect(await call('forget', { id: `../${id}` })).toMatchObject({ code: 'invalid_input' });
    }
    // Nor is it in the knowledge of the workspace, which is as old as the memory now: one write each.
    await other('ingest_document', { path: 'safes.txt', content: 'A safe has a combination.' });
    expect(JSON.stringify(await other('search_knowledge', { query: 'combination of the safe' }))).not.toContain(
      '7-1-9',
    );
    expect(JSON.stringify(await other('list_knowledge', {}))).not.toContain(id);
    // The control: it is there, and shared memory is recalled by the other.
    expect(textsOf(await caller(helve)('recall', { query: 'combination of the safe' }))).toEqual([secret]);
    await caller(helve)('remember', { text: secret, scope: 'workspace' });
    expect(textsOf(await other('recall', { query: 'combination of the safe' }))).toEqual([secret]);
  });

  test('R-levels attack: a person whose id begins like that of another is somebody else', async () => {
    const helve = await start();
    const callFor = (person: string) => async (tool: string, input: object) => {
      const onBehalfOf = { kind: 'user' as const, id: person, name: person };
      return output(await helve.execute({ principal: { ...helve.agent, onBehalfOf }, tool, input }));
    };
    await callFor('acme/bob')('remember', { text: 'The combination of the safe is 7-1-9.' });
    for (const input of [{}, { query: 'combination of the safe' }])
      expect(textsOf(await callFor('acme')('recall', input))).toEqual([]);
    expect(textsOf(await callFor('acme/bob')('recall', {}))).toHaveLength(1);
  });

  test('R-levels: shared memory is removed only by whoever remembered it, or by a person', async () => {
    const helve = await start();
    const call = caller(helve);
    const other = await addAgent(helve, 'other');
    const { id } = await call('remember', { text: 'We ship on Fridays.', scope: 'workspace' });
    // Remembering the same again does not make it theirs.
    expect(await other('remember', { text: 'We ship on Fridays.', scope: 'workspace' })).toEqual({
      id,
      created: false,
    });
    expect(await other('forget', { id, scope: 'workspace' })).toMatchObject({ code: 'forbidden' });
    expect(textsOf(await other('recall', {}))).toEqual(['We ship on Fridays.']);
    expect(await call('forget', { id, scope: 'workspace' })).toEqual({ forgotten: true });
    await call('remember', { text: 'We ship on Fridays.', scope: 'workspace' });
    const result = await helve.execute({ principal: helve.admin, tool: 'forget', input: { id, scope: 'workspace' } });
    expect(output(result)).toEqual({ forgotten: true });
  });

  test('R-levels: an agent whose settings leave out the workspace neither remembers nor recalls there', async () => {
    const helve = await start();
    const call = caller(helve);
    await call('remember', { text: 'We ship on Fridays.', scope: 'workspace' });
    await helve.plane.createAgent(helve.admin, { slug: 'alone' });
    const own = { scopes: ['own'] };
    await helve.plane.replaceGrants(helve.admin, 'alone', [
      { toolkit: 'memory', tools: ['remember', 'recall'], limits: {}, config: { remember: own, recall: own } },
    ]);
    const alone = async (tool: string, input: object) =>
      output(await helve.execute({ principal: { agent: 'alone', workspace: 'default' }, tool, input }));
    expect(await alone('remember', { text: 'Spread this.', scope: 'workspace' })).toMatchObject({ code: 'forbidden' });
    expect(textsOf(await alone('recall', { query: 'ship' }))).toEqual([]);
    expect(await alone('recall', { scope: 'workspace' })).toMatchObject({ code: 'forbidden' });
    expect(textsOf(await call('recall', {}))).toEqual(['We ship on Fridays.']);
  });

  test('R-levels attack: the memory of an issue is that of everybody who works on it, and of no other issue, workspace or call', async () => {
    const helve = await start();
    const config = resolveToolConfig([]);
    const works = (issueId: string, principal: Principal) => async (tool: string, input: object) =>
      output(await helve.execute({ principal: { ...principal, task: { ...config, issueId } }, tool, input }));
    const forPerson = { ...helve.agent, onBehalfOf: { kind: 'user', id: 'ana', name: 'Ana' } } as const;
    const { id: other } = await helve.plane.createAgent(helve.admin, { slug: 'other' });
    await helve.plane.changeGrants(helve.admin, 'other', { add: [{ toolkit: 'memory' }] });
    const otherAgent: Principal = { ...helve.agent, id: other, name: 'other' };
    const text = 'The flaky test is checkout-7-1-9.';
    const first = works('github:acme/shop#1', helve.agent);
    const { id } = await first('remember', { text, scope: 'issue' });

    // The same workspace with another issue, with no issue, and another workspace with an issue of the same name.
    const there = await start({ workspace: 'elsewhere' });
    const elsewhere = async (tool: string, input: object) => {
      const task = { ...config, issueId: 'github:acme/shop#1' };
      return output(await there.execute({ principal: { ...there.agent, task }, tool, input }));
    };
    for (const call of [works('github:acme/shop#12', helve.agent), elsewhere]) {
      for (const input of [{}, { query: 'flaky test' }, { scope: 'issue' }, { query: text, scope: 'issue' }])
        expect(JSON.stringify(await call('recall', input))).not.toContain('7-1-9');
      expect(await call('forget', { id, scope: 'issue' })).toEqual({ forgotten: false });
    }
    const outside = caller(helve);
    expect(textsOf(await outside('recall', {}))).toEqual([]);
    for (const [tool, input] of [
      ['recall', { scope: 'issue' }],
      ['remember', { text, scope: 'issue' }],
      ['forget', { id, scope: 'issue' }],
    ] as const)
      expect(await outside(tool, input)).toMatchObject({ code: 'forbidden' });
    // The model cannot name an issue.
    expect(await outside('recall', { issue: 'github:acme/shop#1' })).toMatchObject({ code: 'invalid_input' });

    // The control: later attempts, other agents and other persons on the same issue recall it.
    for (const principal of [helve.agent, forPerson, otherAgent]) {
      const again = works('github:acme/shop#1', principal);
      expect(textsOf(await again('recall', { query: 'flaky test' }))).toEqual([text]);
      expect((await again('recall', {})).memories).toMatchObject([{ id, scope: 'issue', by: 'tester' }]);
    }
    expect(await works('github:acme/shop#1', otherAgent)('forget', { id, scope: 'issue' })).toMatchObject({
      code: 'forbidden',
    });
    expect(await first('forget', { id, scope: 'issue' })).toEqual({ forgotten: true });
  });

  test('a full memory says what to do, and keeps what it has', async () => {
    const helve = await start({ nativeToolkits: [memory] });
    const documents = helve.storage.workspace(helve.workspaceId).documents('memory');
    const call = caller(helve);
    const { id } = await call('remember', { text: 'first' });
    const [first] = await documents.list();
    const folder = first?.path.slice(0, -id.length) ?? '';
    for (let at = 1; at < maxMemories; at += 1)
      await documents.put(
        { path: `${folder}filler-${at}`, mediaType: 'text/plain', hash: 'x', content: '{}\n[]' },
        '2026-01-01T00:00:00.000Z',
      );
    expect(await call('remember', { text: 'one too many' })).toMatchObject({ code: 'too_large' });
    expect(await call('remember', { text: 'first' })).toMatchObject({ created: false });
    await call('forget', { id });
    expect(await call('remember', { text: 'one too many' })).toMatchObject({ created: true });
  });
});
