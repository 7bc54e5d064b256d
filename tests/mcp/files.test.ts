/** The tools for files as an MCP client sees and calls them: a success and a refusal of each. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, expect, it } from 'vitest';
import { atEnd, bearer, endAll, openRealDoor, rowsOf, textOf } from './real-door.js';

afterEach(endAll);

const tools = [
  'create_directory',
  'delete_file',
  'file_info',
  'list_dir',
  'move_file',
  'read_file',
  'search_files',
  'write_file',
];

async function connect() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-mcp-files-')));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, 'root');
  await mkdir(root);
  await writeFile(join(folder, 'secret'), 'CANARY');
  const allowed = { allowed_paths: [`${root}/**`] };
  const real = await openRealDoor({
    granted: tools,
    toolConfig: Object.fromEntries(tools.map((tool) => [tool, allowed])),
    policies: [{ id: 'deleting', effect: 'allow', when: { tools: ['delete_file'] } }],
  });
  const client = new Client({ name: 'test', version: '0.0.0' });
  const requestInit = { headers: bearer(real.alice) };
  await client.connect(new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit }) as Transport);
  atEnd(() => client.close());
  return { client, real, folder, root };
}

it('R-files: lists the eight tools with their hints, and calls each of them', async () => {
  const { client, real, folder, root } = await connect();
  const listed = (await client.listTools()).tools.filter(({ name }) => tools.includes(name));
  expect(listed.map(({ name, annotations: hints }) => [name, hints?.readOnlyHint, hints?.destructiveHint])).toEqual([
    ['create_directory', false, false],
    ['delete_file', false, true],
    ['file_info', true, false],
    ['list_dir', true, false],
    ['move_file', false, false],
    ['read_file', true, false],
    ['search_files', true, false],
    ['write_file', false, true],
  ]);
  const answer = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent;
  expect(await answer('create_directory', { path: 'a' })).toEqual({ path: join(root, 'a'), created: true });
  expect(await answer('write_file', { path: 'a/x.txt', content: 'Grüße' })).toEqual({
    bytes_written: 7,
    path: join(root, 'a/x.txt'),
  });
  expect(await answer('read_file', { path: 'a/x.txt' })).toMatchObject({ content: 'Grüße', size: 7 });
  expect(await answer('list_dir', { path: 'a' })).toMatchObject({ entries: [{ name: 'x.txt', size: 7 }] });
  expect(await answer('file_info', { path: 'a/x.txt' })).toMatchObject({ type: 'file', size: 7 });
  expect(await answer('search_files', { query: 'Grüße' })).toMatchObject({ matches: [{ lines: [{ line: 1 }] }] });
  expect(await answer('move_file', { source: 'a/x.txt', destination: 'y.txt' })).toEqual({ path: join(root, 'y.txt') });
  expect(await answer('delete_file', { path: 'y.txt' })).toEqual({ deleted: true, path: join(root, 'y.txt') });

  const secret = join(folder, 'secret');
  for (const [name, input] of Object.entries({
    create_directory: { path: join(folder, 'new') },
    write_file: { path: secret, content: 'x' },
    read_file: { path: secret },
    list_dir: { path: folder },
    file_info: { path: secret },
    search_files: { path: folder },
    move_file: { source: secret, destination: 'mine' },
    delete_file: { path: secret },
  })) {
    const refused = await client.callTool({ name, arguments: input });
    expect([name, refused.isError, refused._meta?.code]).toEqual([name, true, 'forbidden']);
    expect(textOf(refused)).toContain(`Allowed: ${root}/**`);
  }
  expect(await readFile(secret, 'utf8')).toBe('CANARY');
  const finished = await rowsOf(real, 'execution.finished');
  expect(finished.filter(({ body }) => body.status === 'ok')).toHaveLength(8);
});
