/**
 * Documents and servers that are slow, broken or down do not block the start, calls of other tools, or lists for long.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { createHelve, type Helve, type HelveOptions } from '../../helve.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { systemPrincipal } from './system-principal.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server that returns its list when the test allows it. */
function gatedServer(slug: string, names: readonly string[]) {
  let reads = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tool = (name: string): Tool =>
    testProviderTool({ toolkit: slug, name }, { annotations, risk: 'read', hasEffects: false });
  const toolkit = { slug, title: slug, description: '', category: 'x', provider: 'mcp', internal: false } as const;
  const provider: Provider = {
    kind: 'mcp',
    toolkits: async () => [{ ...toolkit, needsConnection: false }],
    async tools(asked) {
      if (asked !== slug) return [];
      reads += 1;
      await opened;
      return names.map(tool);
    },
    execute: async ({ tool: { id } }) => ({ output: { by: id.name } }),
    close: async () => open(),
  };
  return { provider, open, reads: () => reads };
}

async function start(options: HelveOptions): Promise<Helve & { readonly workspaceId: string }> {
  const helve = await createHelve(options);
  ends.push(() => helve.close());
  const { workspaceId } = await helve.setUp();
  return { ...helve, workspaceId };
}

const toolsOf = async (helve: Helve, agent: string): Promise<string[]> =>
  (await helve.tools({ principal: { agent }, all: true })).map(({ name }) => name);

/** The tools of the whole workspace. */
async function everything(helve: Helve & { readonly workspaceId: string }): Promise<string[]> {
  const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
  return (await helve.plane.tools(principal, { all: true })).map(({ name }) => name);
}

describe('R-pipeline: slow sources', () => {
  test('R-pipeline: no server is asked at the start; a tool of ours does not wait for it, its own tool does', async () => {
    const slow = gatedServer('slow', ['look']);
    const helve = await start({
      providers: [slow.provider],
      config: 'agents:\n  - name: worker\n    tools: [calculate]\n',
    });
    const call = (tool: string, input = {}) => helve.execute({ principal: { agent: 'worker' }, tool, input });
    expect(slow.reads()).toBe(0);
    expect(await call('calculate', { expression: '1+1' })).toMatchObject({ ok: true });
    expect(slow.reads()).toBe(0);
    // Nor does the list of an agent that was granted nothing of the server.
    expect(await toolsOf(helve, 'worker')).toContain('calculate');
    expect(slow.reads()).toBe(0);
    expect((await everything(helve)).filter((name) => name.startsWith('slow'))).toEqual([]);
    expect(slow.reads()).toBe(1);
    expect(await call('calculate', { expression: '1+1' })).toMatchObject({ ok: true });
    // It exists, and is not granted.
    const late = call('slow__look');
    slow.open();
    expect(await late).toMatchObject({ ok: false, error: { code: 'not_granted' } });
  });

  test('R-tool-config: the tools of a server for a declared agent are granted once the server has been read', async () => {
    const slow = gatedServer('slow', ['look']);
    const reportError = vi.fn();
    const helve = await start({
      providers: [slow.provider],
      reportError,
      config: 'agents:\n  - name: worker\n    tools: [calculate, slow__look, slow__nothing]\n',
    });
    expect(await toolsOf(helve, 'worker')).not.toContain('slow__look');
    slow.open();
    await vi.waitFor(async () => expect(await toolsOf(helve, 'worker')).toContain('slow__look'));
    expect(await helve.execute({ principal: { agent: 'worker' }, tool: 'slow__look', input: {} })).toMatchObject({
      ok: true,
      output: { by: 'look' },
    });
    await vi.waitFor(() => expect(reportError).toHaveBeenCalledTimes(1));
    expect(String(reportError.mock.calls[0]?.[0]?.message)).toMatch(
      /:3: agents\.0\.tools\.2: slow has no tool "slow__nothing"/,
    );
  });

  test('R-tool-config: grants for a server stay while the server is down', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-slow-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const config = 'agents:\n  - name: worker\n    tools: [calculate, slow__look]\n';
    const up = gatedServer('slow', ['look']);
    up.open();
    const first = await start({ dataDir, config, providers: [up.provider] });
    await vi.waitFor(async () => expect(await toolsOf(first, 'worker')).toContain('slow__look'));
    await ends.pop()?.();
    const down = gatedServer('slow', ['look']);
    const second = await start({
      dataDir,
      config: config.replace('calculate,', 'calculate, key_value_get,'),
      providers: [down.provider],
    });
    const { grants } = await second.plane.grantCatalogue(systemPrincipal(second.workspaceId), 'worker');
    expect(grants.flatMap(({ tools }) => tools).toSorted()).toEqual(['calculate', 'key_value_get', 'look']);
    // The server returns with its tools: the grant takes effect immediately.
    down.open();
    const look = { principal: { agent: 'worker' }, tool: 'slow__look', input: {} };
    expect(await second.execute(look)).toMatchObject({ ok: true });
  });

  test('R-tool-config: a tool that is no longer declared is removed immediately, even if its server is down', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-slow-'));
    ends.push(() => rm(dataDir, { recursive: true, force: true }));
    const config = (tools: string) => `agents:\n  - name: worker\n    tools: [${tools}]\n`;
    const both = { slow: ['look', 'burn'], slowly: ['burn'] };
    const servers = () => Object.entries(both).map(([slug, names]) => gatedServer(slug, names));
    const up = servers();
    for (const { open } of up) open();
    const first = await start({
      dataDir,
      config: config('slow__look, slow__burn, slowly__burn'),
      providers: up.map((one) => one.provider),
    });
    const held = async ({ plane, workspaceId }: typeof first) =>
      (await plane.grantCatalogue(systemPrincipal(workspaceId), 'worker')).grants
        .flatMap(({ toolkit, tools }) => tools.map((name) => `${toolkit}.${name}`))
        .sort();
    await vi.waitFor(async () => expect(await held(first)).toEqual(['slow.burn', 'slow.look', 'slowly.burn']));
    await ends.pop()?.();
    // Judged by its prefix, `slowly__burn` could belong to `slow`, but it is a tool of the other.
    const providers = servers().map((one) => one.provider);
    const second = await start({ dataDir, config: config('SLOW_LOOK, slowly__burn'), providers });
    expect(await held(second)).toEqual(['slow.look', 'slowly.burn']);
    await ends.pop()?.();
    // A name that the server turns out not to have preserves no other grant.
    const back = servers();
    for (const { open } of back) open();
    const reportError = vi.fn();
    const third = await start({
      dataDir,
      config: config('slow__loook, slowly__burn'),
      providers: back.map((one) => one.provider),
      reportError,
    });
    await vi.waitFor(() => expect(reportError).toHaveBeenCalled());
    expect(await held(third)).toEqual(['slowly.burn']);
  });

  test('R-mcp-client: a first agent is granted the tools of a server once the server has been read', async () => {
    const slow = gatedServer('slow', ['look']);
    const helve = await start({ providers: [slow.provider] });
    expect(await toolsOf(helve, 'first')).toContain('calculate');
    slow.open();
    await vi.waitFor(async () => expect(await toolsOf(helve, 'first')).toContain('slow__look'));
  });

  test('R-openapi: a broken document is reported once, in one line with file, line and key; everything else works', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'helve-broken-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'bad.json'), '{ "openapi": ');
    const configFile = join(folder, 'helve.yaml');
    await writeFile(configFile, 'openapi:\n  shop:\n    document: bad.json\n  gone:\n    document: none.json\n');
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    ends.push(async () => errors.mockRestore());
    const helve = await start({ configFile });
    await vi.waitFor(() => expect(errors).not.toHaveBeenCalled());
    for (let again = 0; again < 3; again++) expect(await everything(helve)).toContain('calculate');
    const lines = errors.mock.calls.map(([line]) => String(line)).sort();
    expect(lines).toEqual([
      expect.stringMatching(
        /helve\.yaml:3: openapi\.shop\.document: the OpenAPI document of shop cannot be used: [^\n]+$/,
      ),
      expect.stringMatching(/helve\.yaml:5: openapi\.gone\.document: [^\n]*none\.json cannot be read[^\n]*$/),
    ]);
  });
});
