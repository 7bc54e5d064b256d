/** Where types are learned, kept and printed: from calls through the plane, and in two processes on one store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { seal } from '../../../audit/index.js';
import type { JsonValue } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { Storage } from '../../../domain/storage.js';
import { type Tool, ToolContent, type ToolDefinition } from '../../../domain/tool.js';
import { createHelve, type HelveOptions } from '../../../helve.js';
import { openStorage } from '../../../storage/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../../testing/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';
import { createTypeLearner } from './type-learner.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const get = (more: Partial<ToolDefinition> = {}) =>
  testTool({ name: 'get', execute: async (input) => (input as { answer: never }).answer, ...more });

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  const helve = await createTestHelve({ nativeToolkits: [], tools: [get()], ...options });
  cleanups.push(() => helve.close());
  return helve;
}

type Opened = Pick<TestHelve, 'execute' | 'plane' | 'agent' | 'close'>;

/** The same installation, started again. */
async function reopen(agent: Principal, options: HelveOptions): Promise<Opened> {
  const helve = await createHelve({ nativeToolkits: [], tools: [get()], ...options });
  cleanups.push(() => helve.close());
  return { ...helve, agent };
}

async function answer(helve: Opened, ...answers: JsonValue[]): Promise<void> {
  const call = { principal: { agent: 'tester', workspace: 'default' }, tool: 'get' };
  for (const one of answers)
    expect(await helve.execute({ ...call, input: { answer: one } })).toMatchObject({ ok: true });
}

const print = async (helve: Opened) => (await helve.plane.toolDeclarations(helve.agent, {})).text;

describe('R-typedefs: calls teach what a tool answers', () => {
  test('R-typedefs: the type is printed and says how many answers it comes from; nothing is enforced', async () => {
    const helve = await open();
    expect(await print(helve)).toContain('function get(input?:{[k:string]:unknown}):Promise<unknown>;');
    await answer(helve, { id: 1, title: 'a' }, { id: 2 }, { id: 3, title: 'c' });
    expect(await print(helve)).toContain(
      '@returns seen in 3 answers */\nfunction get(input?:{[k:string]:unknown}):Promise<{\nid:number\ntitle?:string\n[k:string]:unknown\n}>;',
    );
    await answer(helve, 'something else');
    expect(await print(helve)).toContain('@returns seen in 4 answers');
  });

  test('R-typedefs: a program may read a field that no answer had: it is unknown; a misspelt one cannot be used', async () => {
    const helve = await open();
    await answer(helve, { id: 1, title: 'a' }, { id: 2, title: 'b' });
    const check = async (rest: string) =>
      (await helve.plane.checkCode(helve.agent, `const it = await custom.get({ answer: 1 }); ${rest}`)).issues;
    expect(await check('return [it.title.length, it.later];')).toEqual([]);
    expect(await check('return it.later.length;')).toHaveLength(1);
    expect(await check('return it.titel.length;')).toMatchObject([
      { message: 'it.titel is unknown; did you mean title?' },
    ]);
  });

  test('R-typedefs: a text teaches a text, though it may be JSON, and content beside a value teaches nothing', async () => {
    const content = new ToolContent([{ type: 'text', text: '{"id":1}' }], '{"id":1}');
    const helve = await open({ tools: [get({ execute: async () => content })] });
    await answer(helve, null);
    expect(await print(helve)).toContain(
      '@returns seen in 1 answer */\nfunction get(input?:{[k:string]:unknown}):Promise<string>;',
    );
  });

  test('R-typedefs: a failed call, and a tool that declares its output, teach nothing', async () => {
    const outputSchema = { type: 'object', properties: { id: {} }, required: ['id'] };
    const failing = get({ name: 'fail', execute: () => Promise.reject(new Error('no')) });
    const helve = await open({ tools: [get({ outputSchema }), failing] });
    await answer(helve, { id: 1, more: 2 });
    expect(await helve.call('fail')).toMatchObject({ ok: false });
    expect(await print(helve)).not.toMatch(/seen in|more/);
  });

  test('R-typedefs: each workspace learns for itself', async () => {
    const helve = await open();
    await answer(helve, { id: 1 }, { id: 2 });
    const { workspaceId } = await helve.ensureWorkspace('other');
    const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
    expect((await helve.plane.toolDeclarations(principal, {})).text).not.toContain('seen in');
  });

  test('R-typedefs: `learn_types: false` neither learns nor prints what was learned before', async () => {
    const dataDir = await folder();
    const before = await open({ dataDir });
    await answer(before, 1);
    await before.close();
    const helve = await reopen(before.agent, { dataDir, config: 'code: { learn_types: false }' });
    await answer(helve, 2);
    expect(await print(helve)).not.toContain('seen in');
  });

  test('R-typedefs: what was learned outlives the process, but not a change of the tool', async () => {
    const dataDir = await folder();
    const first = await open({ dataDir });
    await answer(first, { id: 1 });
    await first.close();
    const second = await reopen(first.agent, { dataDir });
    await answer(second, { id: 2 });
    expect(await print(second)).toMatch(/seen in 2 answers.*id:number/s);
    await second.close();
    const changed = await reopen(first.agent, { dataDir, tools: [get({ description: 'Does something else.' })] });
    expect(await print(changed)).not.toContain('seen in');
    await answer(changed, { id: 2 });
    expect(await print(changed)).toContain('seen in 1 answer ');
    await changed.close();
    expect(await print(await reopen(first.agent, { dataDir }))).not.toContain('seen in');
  });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'helve-learned-'));
  cleanups.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

const tool: Tool = testProviderTool({ toolkit: 'custom', name: 'get' });

async function openStore(): Promise<Storage> {
  const storage = await openStorage({ location: ':memory:', seal });
  cleanups.push(() => storage.close());
  await storage.system.createWorkspace({ id: 'w', slug: 'w', name: 'W', createdAt: new Date(0).toISOString() }, []);
  return storage;
}

function createLearner(storage: Storage, reportError: (error: unknown) => void = (error) => expect(error).toBeNull()) {
  const learner = createTypeLearner({ storage, now: () => new Date(0), reportError });
  // Before the store: it would write a second after its last answer.
  cleanups.push(() => learner.close());
  return learner;
}

/** With a count of the reads and writes. */
function counted(storage: Storage) {
  const counts = { reads: 0, writes: 0 };
  const workspace: Storage['workspace'] = (id) => {
    const scope = storage.workspace(id);
    const { list, find, put } = scope.learnedTypes;
    const read = <Given extends unknown[], Made>(work: (...given: Given) => Made) => {
      return (...given: Given): Made => {
        counts.reads += 1;
        return work(...given);
      };
    };
    const write: typeof put = (...given) => {
      counts.writes += 1;
      return put(...given);
    };
    return { ...scope, learnedTypes: { list: read(list), find: read(find), put: write } };
  };
  return { counts, storage: { ...storage, workspace } };
}

describe('R-typedefs: the store', () => {
  test('R-typedefs: is written when the shape changed or the count doubled, and read once for many prints', async () => {
    const { counts, storage } = counted(await openStore());
    const learner = createLearner(storage);
    const writes: number[] = [];
    for (let at = 0; at < 17; at += 1) {
      learner.note('w', tool, at < 15 ? { id: at } : { id: at, late: true });
      await learner.close();
      writes.push(counts.writes);
    }
    expect(writes).toEqual([1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6]);
    counts.reads = 0;
    for (let at = 0; at < 5; at += 1) expect((await learner.findOutputs('w', [tool])).size).toBe(1);
    expect(counts.reads).toBe(0);
  });

  test('R-typedefs: two processes that learn at once lose no answer that they write one after the other', async () => {
    const storage = await openStore();
    const [one, other] = [createLearner(storage), createLearner(storage)];
    for (let at = 0; at < 4; at += 1) {
      one.note('w', tool, { id: at, first: 'x' });
      other.note('w', tool, { id: at, second: 'x' });
      await Promise.all([one.findOutputs('w', []), other.findOutputs('w', [])]);
    }
    await one.close();
    await other.close();
    expect(await storage.workspace('w').learnedTypes.list('custom')).toMatchObject([{ tool: 'get', answers: 8 }]);
    const schema = (await createLearner(storage).findOutputs('w', [tool])).get(tool);
    expect(schema).toMatchObject({ required: ['id'], properties: { first: {}, second: {} } });
  });

  test('R-typedefs: a burst is looked at in part, and nothing waits for it', async () => {
    const learner = createLearner(await openStore());
    for (let at = 0; at < 1_000; at += 1) learner.note('w', tool, at);
    expect((await learner.findOutputs('w', [tool])).get(tool)).toEqual({
      description: 'seen in 4 answers',
      type: 'number',
    });
  });

  test('R-typedefs: a store that fails is reported, and the next answer is learned', async () => {
    const storage = await openStore();
    let isDown = true;
    const workspace: Storage['workspace'] = (id) => {
      if (isDown) throw new Error('the store is down');
      return storage.workspace(id);
    };
    const errors: unknown[] = [];
    const learner = createLearner({ ...storage, workspace }, (error) => errors.push(error));
    learner.note('w', tool, 1);
    expect(await learner.findOutputs('w', [tool])).toEqual(new Map());
    expect(errors).toHaveLength(2);
    isDown = false;
    learner.note('w', tool, 1);
    expect((await learner.findOutputs('w', [tool])).size).toBe(1);
    isDown = true;
    await learner.close();
    isDown = false;
    learner.note('w', tool, 2);
    await learner.close();
    expect(await storage.workspace('w').learnedTypes.list('custom')).toMatchObject([{ answers: 2 }]);
  });
});
