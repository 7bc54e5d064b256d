/** Every file that Helve and its configuration use is protected from the agents' tools. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptFiles, ownCode } from './kept-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helve-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const config = (more: object = {}) =>
  ({ toolkits: {}, openapi: {}, openapiDirectory: {}, mcpServers: {}, ...more }) as never;

test('attack: the data folder, the configuration and the store are secret, wherever they are', () => {
  const places = {
    dataDir: join(folder, 'data'),
    configFile: join(folder, 'helve.yaml'),
    database: join(folder, 'own.db'),
  };
  const { secret } = keptFiles(places, config(), []);
  expect(secret).toEqual(expect.arrayContaining([places.dataDir, places.configFile, places.database]));
  for (const database of ['own:store.db', 'file:own.db', join(folder, 'own.db')])
    expect(keptFiles({ database }, config(), []).secret).toContain(resolve(database));
  // A server is not a file.
  const server = keptFiles({ database: 'postgres://localhost/helve' }, config(), []);
  expect(server.secret.filter((path) => path.includes('postgres'))).toEqual([]);
});

test('attack: documents, directories and programs that the configuration names are protected, and web addresses are not files', () => {
  const script = join(folder, 'server.js');
  writeFileSync(script, '');
  mkdirSync(join(folder, 'work'));
  const given = config({
    openapi: { one: { document: 'one.yaml' }, two: { document: 'https://example.com/two.yaml' } },
    openapiDirectory: { path: 'apis' },
    mcpServers: {
      local: {
        command: './run',
        args: ['server.js', `--config=${script}`, 'work', `x\0y`, 'a script of words'],
        cwd: folder,
      },
      remote: { url: 'https://example.com/mcp' },
    },
  });
  writeFileSync(join(folder, 'run'), '');
  const { plain } = keptFiles({ configFile: join(folder, 'helve.yaml') }, given, []);
  const here = plain.filter((path) => path.startsWith(folder) || path.includes('example.com'));
  expect(here).toEqual(['one.yaml', 'apis', 'run', 'server.js', 'server.js'].map((name) => join(folder, name)));
  // A program that is found by name belongs to the machine.
  writeFileSync(join(folder, 'node'), '');
  const named = config({ mcpServers: { local: { command: 'node', args: [], cwd: folder } } });
  expect(keptFiles({}, named, []).plain).not.toContain(join(folder, 'node'));
});

test('attack: files named in the settings of a toolkit are protected', () => {
  const toolkit = (slug: string) =>
    ({
      slug,
      settingsFiles: () => ({ secret: [join(folder, `${slug}.key`)], plain: [join(folder, `${slug}.txt`)] }),
    }) as never;
  const bare = { slug: 'bare' } as never;
  const given = config({ toolkits: { ssh: {}, bare: {} } });
  const { secret, plain } = keptFiles({}, given, [toolkit('ssh'), toolkit('other'), toolkit('constructor'), bare]);
  expect([...secret, ...plain].filter((path) => path.startsWith(folder))).toEqual([
    join(folder, 'ssh.key'),
    join(folder, 'ssh.txt'),
  ]);
});

test('attack: the program and its dependencies are protected, where it is built and where it is installed', () => {
  const { plain } = keptFiles({}, config(), []);
  const names = ['bin', 'dist', 'src', 'node_modules', 'package.json'];
  expect(plain).toEqual(names.map((name) => resolve(name)));
  expect(ownCode('/srv/app/node_modules/helve/dist/plane/wiring/kept-files.js')).toEqual(['/srv/app/node_modules']);
  expect(ownCode('/opt/helve/dist/plane/wiring/kept-files.js')).toEqual(names.map((name) => join('/opt/helve', name)));
});
