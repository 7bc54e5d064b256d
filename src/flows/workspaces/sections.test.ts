/** A call of one tool reads only the toolkits that its name can belong to, and means what it means in the whole workspace. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import type { Provider } from '../../domain/provider.js';
import type { Toolkit } from '../../domain/tool.js';
import { createHelve, type HelveOptions } from '../../helve.js';
import type { PrincipalLike } from '../../plane/acts/principal-like.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { findSection, indexToolkits, slugOfName } from './sections.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A process that has not read any tool yet, and how the admin calls tools there. */
async function start(options: HelveOptions) {
  const helve = await createHelve(options);
  ends.push(() => helve.close());
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const callAs =
    (principal: PrincipalLike) =>
    (tool: string, input: JsonObject = {}) =>
      helve.execute({ principal, tool, input });
  return { ...helve, admin, call: callAs(admin), callAs };
}

type Kind = 'composio' | 'mcp';

function toolkitOf(slug: string, kind: Kind): Toolkit {
  const facts = { slug, title: slug, description: '', category: 'x', provider: kind, internal: false } as const;
  return { ...facts, needsConnection: false };
}

/** Toolkits with the tools `look` and `burn` each; says which were read. */
function fleet(kind: Kind, slugs: readonly string[], more: Partial<Toolkit> = {}) {
  const read: string[] = [];
  const provider: Provider = {
    kind,
    toolkits: async () => slugs.map((slug) => ({ ...toolkitOf(slug, kind), ...more })),
    async tools(toolkit) {
      if (!slugs.includes(toolkit)) return [];
      read.push(toolkit);
      return ['look', 'burn'].map((name) => testProviderTool({ toolkit, name }, { provider: kind }));
    },
    execute: async ({ tool: { id } }) => ({ output: { by: `${id.toolkit}.${id.name}` } }),
    close: async () => undefined,
  };
  return { provider, read };
}

async function answerOf(asked: Promise<ToolResult>) {
  const result = await asked;
  return result.ok ? result.output : [result.error.code, result.error.message, result.error.hint];
}

describe('R-operate: sections of a catalogue', () => {
  test('R-operate: a call reads the toolkits of its name, and a list reads all', async () => {
    const stored = fleet('composio', ['one', 'two', 'three']);
    const server = fleet('mcp', ['four', 'five']);
    const { call, plane, admin, registry } = await start({ providers: [stored.provider, server.provider] });
    // A busy machine can take so long to load our own tools that a list no longer waits for them, and all others are read.
    const ours = (await registry.toolkits()).filter(({ provider }) => provider === 'native');
    await Promise.all(ours.map(({ slug }) => registry.tools(slug)));
    expect(await call('calculate', { expression: '1 + 1' })).toMatchObject({ ok: true });
    expect([...stored.read, ...server.read]).toEqual([]);
    expect(await call('two__look')).toMatchObject({ ok: true, output: { by: 'two.look' } });
    expect(await call('five__burn')).toMatchObject({ ok: true, output: { by: 'five.burn' } });
    expect([...stored.read, ...server.read]).toEqual(['two', 'five']);
    await plane.tools(admin, { all: true });
    expect([...stored.read, ...server.read].toSorted()).toEqual(['five', 'four', 'one', 'three', 'two']);
  });

  test('R-operate: a name means the same before and after the whole workspace was read', async () => {
    const providers = () => [
      fleet('composio', ['my-app', 'my_app', 'one', 'shared']),
      fleet('mcp', ['shared-', 'two']),
    ];
    const open = () => start({ providers: providers().map(({ provider }) => provider) });
    const asked = [
      'my-app__look',
      'one__look',
      'two__look',
      'shared__look',
      'one.look',
      'look',
      'calc',
      'two__nothing',
    ];
    const warm = await open();
    const listed = (await warm.plane.tools(warm.admin, { all: true })).map(({ name }) => name);
    expect(listed.filter((name) => name.startsWith('my-app__look_'))).toHaveLength(2);
    for (const name of [...asked, ...listed.filter((one) => one.includes('__'))]) {
      const cold = await open();
      expect([name, await answerOf(cold.call(name))]).toEqual([name, await answerOf(warm.call(name))]);
    }
  });

  test('leak: the suggestion for an account that is hidden is that for one that does not exist', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-sections-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const schemes = [{ id: 'token', kind: 'api_key', title: 'Token', fields: [] }] as const;
    const providers = () => [
      fleet('composio', ['notes', 'mail'], { needsConnection: true, auth: { schemes } }).provider,
    ];
    const first = await start({ dataDir, providers: providers() });
    const ids = [];
    const accounts = [
      { toolkit: 'notes', name: 'Mine' },
      { toolkit: 'mail', name: 'Mime', visibility: 'private' },
    ] as const;
    for (const account of accounts) {
      const { id } = await first.plane.addConnection(first.admin, account);
      await first.plane.connect(first.admin, id, { credentials: {}, check: false });
      ids.push(id);
    }
    const worker = await first.plane.createAgent(first.admin, { slug: 'worker' });
    const [connectionId = ''] = ids;
    await first.plane.replaceGrants(first.admin, worker.slug, [
      { toolkit: 'notes', connectionId, tools: ['look'], limits: {}, config: {} },
    ]);
    await ends.pop()?.();
    const hints = [];
    for (const name of ['mime__look', 'mide__look']) {
      const { callAs } = await start({ dataDir, providers: providers() });
      hints.push(String(await answerOf(callAs({ agent: 'worker' })(name))).replaceAll(name, 'it'));
      await ends.pop()?.();
    }
    expect(hints[0]).toContain('Did you mean mine__look?');
    expect(hints[1]).toBe(hints[0]);
  });

  test('a section says whether our own tools share its slug with a server', () => {
    const index = indexToolkits([toolkitOf('one', 'composio'), toolkitOf('One', 'mcp'), toolkitOf('two', 'mcp')]);
    const isMixed = (slug: string) => findSection(index, [], slug)?.isMixed;
    expect([isMixed('one'), isMixed('two'), isMixed('three')]).toEqual([true, false, undefined]);
    expect([slugOfName('work-mail__send__it'), slugOfName('calculate'), slugOfName('__odd')]).toEqual([
      'work-mail',
      '',
      '',
    ]);
  });
});
