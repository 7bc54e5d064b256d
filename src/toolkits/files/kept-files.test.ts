/**
 * A project folder that is allowed as a whole, with the files that the configuration names in it. Each row is done to a
 * kept file and to a plain one beside it, with the same content: the second proves that the act itself works.
 */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { database } from '../database/toolkit.js';
import { documents } from '../documents/toolkit.js';
import { shell } from '../shell/toolkit.js';
import { ssh } from '../ssh/toolkit.js';
import { files } from './toolkit.js';

const canary = 'CANARY-93bd1';
const planted = 'PLANTED-5521c';
const spec = `{"openapi":"3.1.0","info":{"title":"${canary}","version":"1"},"servers":[{"url":"http://127.0.0.1:1"}],"paths":{}}`;

/** By their place in the project; the values are what is in them. */
const kept: Record<string, string | undefined> = {
  'helve.yaml': undefined,
  'keys/deploy': canary,
  'data/app.db': canary,
  'data/app.db-wal': undefined,
  'data/app.db-shm': undefined,
  'data/app.db-journal': undefined,
  'apis/store.json': spec,
  'servers/notes.mjs': canary,
  'fonts/house.ttf': canary,
};
const names = Object.keys(kept);
const plainOf = (name: string): string => join(dirname(name), `plain-${name.replaceAll('/', '-')}`);

const configText = (project: string): string => `
toolkits:
  ssh:
    hosts:
      web: { address: 127.0.0.1, user: root, private_key_file: ${project}/keys/deploy, host_key: "SHA256:${'A'.repeat(43)}" }
  database:
    connections:
      app: { url: "sqlite:${project}/data/app.db" }
  documents:
    fonts: [${project}/fonts/house.ttf]
openapi:
  store: { document: apis/store.json }
mcp_servers:
  notes: { command: node, args: [servers/notes.mjs], cwd: ${project} }
`;

const opened: TestHelve[] = [];
const folders: string[] = [];
afterEach(() => Promise.all(opened.splice(0).map((helve) => helve.close())));
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function makeProject(): string {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'helve-project-')));
  folders.push(project);
  for (const [name, content] of Object.entries(kept)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    if (content !== undefined) writeFileSync(join(project, name), content);
    writeFileSync(join(project, plainOf(name)), content ?? canary);
  }
  writeFileSync(join(project, 'helve.yaml'), configText(project));
  writeFileSync(join(project, 'planted'), planted);
  return project;
}

const tools = [
  'read_file',
  'write_file',
  'list_dir',
  'delete_file',
  'move_file',
  'file_info',
  'search_files',
  'create_directory',
];

async function open(project: string, globs: readonly string[], config: JsonObject = {}): Promise<TestHelve> {
  const helve = await createTestHelve({
    configFile: join(project, 'helve.yaml'),
    nativeToolkits: [files, ssh, database, documents, shell],
    reportError: () => {},
    granted: [...tools, 'run_command'],
    toolConfig: {
      ...Object.fromEntries(tools.map((tool) => [tool, { allowed_paths: [...globs] }])),
      ...(config as Record<string, JsonObject>),
    },
    policies: [{ id: 'all', effect: 'allow', when: {} }],
  });
  opened.push(helve);
  return helve;
}

let project: string;
let helve: TestHelve;
beforeEach(async () => {
  project = makeProject();
  helve = await open(project, [`${project}/**`]);
});

const acts: Record<string, (path: string) => [tool: string, input: JsonObject]> = {
  read: (path) => ['read_file', { path }],
  'read its bytes': (path) => ['read_file', { path, binary: true }],
  'look at it': (path) => ['file_info', { path }],
  overwrite: (path) => ['write_file', { path, content: planted }],
  append: (path) => ['write_file', { path, content: planted, mode: 'append' }],
  delete: (path) => ['delete_file', { path }],
  'move it away': (path) => ['move_file', { source: path, destination: `${path}.away` }],
};

describe('a file that the configuration names is hidden in a folder that is allowed', () => {
  test.each(Object.keys(acts))('%s', async (act) => {
    for (const name of names) {
      const path = join(project, name);
      const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      const [tool, input] = acts[act]!(path);
      const result = await helve.call(tool, input);
      expect(result, `${act} ${name}`).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      expect(JSON.stringify(result)).not.toContain(canary);
      expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined, `${act} ${name}`).toBe(before);
      const [, control] = acts[act]!(join(project, plainOf(name)));
      expect(await helve.call(tool, control), `${act} the plain file beside ${name}`).toMatchObject({ ok: true });
    }
  });

  test('a file that is not there yet cannot be put in its place by a move or as a folder', async () => {
    for (const name of names) {
      const path = join(project, name);
      rmSync(path, { force: true });
      for (const [tool, input] of [
        ['move_file', { source: join(project, 'planted'), destination: path }],
        ['create_directory', { path }],
        ['create_directory', { path: join(path, 'below') }],
        ['write_file', { path, content: planted }],
      ] as const) {
        expect(await helve.call(tool, input), `${tool} ${name}`).toMatchObject({ ok: false });
        expect(existsSync(path), `${tool} ${name}`).toBe(false);
      }
    }
    const control = { source: join(project, 'planted'), destination: join(project, 'moved') };
    expect(await helve.call('move_file', control)).toMatchObject({ ok: true });
  });

  test('it is not in a listing and not among what is searched', async () => {
    const listed = JSON.stringify(await helve.call('list_dir', { path: project, pattern: '**' }));
    const found = JSON.stringify(await helve.call('search_files', { path: project, query: canary }));
    for (const name of names) {
      for (const before of ['"', '/']) {
        expect(listed).not.toContain(`${before}${basename(name)}"`);
        expect(found).not.toContain(`${before}${basename(name)}"`);
      }
      expect(listed).toContain(basename(plainOf(name)));
    }
    expect(found).toContain('plain-keys-deploy');
  });

  test('a folder that holds it is neither moved, nor deleted, nor replaced', async () => {
    mkdirSync(join(project, 'other'));
    writeFileSync(join(project, 'other/deploy'), planted);
    for (const [tool, input] of [
      ['move_file', { source: join(project, 'keys'), destination: join(project, 'old') }],
      ['delete_file', { path: join(project, 'keys'), recursive: true }],
    ] as const)
      expect(await helve.call(tool, input), tool).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    rmSync(join(project, 'keys'), { recursive: true });
    const replaced = { source: join(project, 'other'), destination: join(project, 'keys') };
    expect(await helve.call('move_file', replaced)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(existsSync(join(project, 'keys'))).toBe(false);
    expect(await helve.call('move_file', { ...replaced, destination: join(project, 'free') })).toMatchObject({
      ok: true,
    });
  });

  test('links and second names lead to it no more than its own name', async () => {
    symlinkSync(join(project, 'helve.yaml'), join(project, 'link'));
    symlinkSync(join(project, 'keys'), join(project, 'folder'));
    linkSync(join(project, 'keys/deploy'), join(project, 'second'));
    const open2 = await open(project, [`${project}/**`], {
      read_file: { allowed_paths: [`${project}/**`], allow_hard_links: true },
    });
    for (const path of ['link', 'folder/deploy', 'second']) {
      const read = await open2.call('read_file', { path: join(project, path) });
      expect(read, path).toMatchObject({ ok: false });
      expect(JSON.stringify(read)).not.toContain(canary);
    }
    linkSync(join(project, 'planted'), join(project, 'third'));
    expect(await open2.call('read_file', { path: join(project, 'third') })).toMatchObject({ ok: true });
    expect(await helve.call('write_file', { path: join(project, 'link'), content: planted })).toMatchObject({
      ok: false,
    });
    expect(readFileSync(join(project, 'helve.yaml'), 'utf8')).toBe(configText(project));
  });

  test("Helve's own program is hidden too", async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
    const own = await open(project, [root]);
    expect(await own.call('read_file', { path: join(root, 'package.json') })).toMatchObject({
      error: { code: 'forbidden' },
    });
    expect(await own.call('read_file', { path: join(root, 'README.md') })).toMatchObject({ ok: true });
  });

  test('where its name is a link, each name on the way is hidden', async () => {
    const [real, linked] = [join(project, 'real'), makeProject()];
    mkdirSync(real);
    rmSync(join(linked, 'helve.yaml'));
    writeFileSync(join(real, 'config.yaml'), configText(linked));
    symlinkSync(join(real, 'config.yaml'), join(project, 'hop'));
    symlinkSync(join(project, 'hop'), join(linked, 'helve.yaml'));
    const all = await open(linked, [`${project}/**`, `${linked}/**`]);
    for (const path of [join(real, 'config.yaml'), join(project, 'hop'), join(linked, 'helve.yaml')]) {
      expect(await all.call('write_file', { path, content: planted }), path).toMatchObject({ ok: false });
      expect(await all.call('delete_file', { path }), path).toMatchObject({ ok: false });
    }
    expect(readFileSync(join(linked, 'helve.yaml'), 'utf8')).toBe(configText(linked));
  });
});

describe('a grant that asks for it is refused when it is made', () => {
  test.each([
    '{P}/helve.yaml',
    '{P}/*.yaml',
    '{P}/**/helve.*',
    '{P}/keys/deploy',
    '{P}/keys/*ploy',
    '{P}/data/*.db-wal',
    '{P}/apis/store.json',
    '{P}/servers/*.mjs',
  ])('allowed_paths %s', async (glob) => {
    const refused = open(project, [glob.replace('{P}', project)]);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining(project) });
  });

  test.each([
    '{P}',
    '{P}/',
    '{P}/**',
    '{P}/*',
    '{P}/keys/**',
    '{P}/**/*.md',
    '{P}/data/plain*',
  ])('but not %s, which takes a folder or something else', async (glob) => {
    await expect(open(project, [glob.replace('{P}', project)])).resolves.toBeDefined();
  });

  test.each(['{P}', '{P}/keys', '{P}/keys/deploy', '{P}/data/app.db'])('read_paths of commands %s', async (path) => {
    const reads = { run_command: { allowed_commands: ['cat'], read_paths: [path.replace('{P}', project)] } };
    await expect(open(project, [`${project}/**`], reads)).rejects.toMatchObject({ code: 'invalid_config' });
  });

  test('read_paths of commands may show what is no secret', async () => {
    const reads = { run_command: { allowed_commands: ['cat'], read_paths: [join(project, 'apis')] } };
    await expect(open(project, [`${project}/**`], reads)).resolves.toBeDefined();
  });

  test('an agent of helve.yaml stops the start, with file and line', async () => {
    const text = `${configText(project)}
agents:
  - name: helper
    tools: [read_file]
    tool_config:
      read_file: { allowed_paths: ["${project}/helve.yaml"] }
`;
    writeFileSync(join(project, 'helve.yaml'), text);
    const started = await open(project, [`${project}/**`]);
    await expect(started.setUp()).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/helve\.yaml:\d+: tool_config\.read_file|helve\.yaml:\d+: .*allowed_paths/),
    });
  });
});
