/** What a restart finds of the index: the same answers without reading and building again, and never an old one. */
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import { createRegistry } from '../../../registry/index.js';
import { createLibrary, type Library } from '../library.js';
import { action, app, changing, kitOf, readerOf, toolOf } from '../testing/sources.js';
import { createKeptIndex } from './kept-index.js';

type Kits = Map<string, { kit: Toolkit; tools: Tool[] | Error }>;

let dataDir: string;
let folder: string;
let errors: unknown[];
const open: Library[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'helve-kept-'));
  folder = join(dataDir, 'discovery');
  errors = [];
});
afterEach(async () => {
  for (const library of open.splice(0)) await library.close();
  await rm(dataDir, { recursive: true });
});

const onDemand = { provider: 'composio', needsConnection: true, onDemand: true } as const;
const usual = (): Kits =>
  new Map([
    ['mail', { kit: kitOf('mail'), tools: [toolOf('mail', 'send_letter', 'Sends a letter')] }],
    ['maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'find_route', 'Finds a route')] }],
    ['plants', { kit: kitOf('plants'), tools: [toolOf('plants', 'water_plants', 'Waters plants')] }],
    ['notes', { kit: kitOf('notes', onDemand), tools: [] }],
  ]);
const usualApps = () => new Map([app('notes', 'one')]);
const usualActions = () => [action('notes', 'NOTES_ADD_NOTE', 'Adds a note')];

/** A process: its library, what it entered into the index, and what it read of the catalogue. */
async function start(kits: Kits, { apps = usualApps(), actions = usualActions() } = {}) {
  const asked: string[] = [];
  const { provider, tell } = changing(kits);
  const library = createLibrary({
    registry: createRegistry([provider]),
    reader: readerOf(apps, actions, asked),
    kept: createKeptIndex(folder),
    reportError: (error) => errors.push(error),
  });
  open.push(library);
  const index = await library.index;
  const entered: string[] = [];
  const add = index.add.bind(index);
  index.add = async (tools) => {
    entered.push(...tools.map(({ id }) => id));
    await add(tools);
  };
  const find = (query: string) =>
    index.search(query, { toolkits: [...library.open.keys()], known: [] }).hits.map(({ id }) => id);
  return { library, index, entered, asked, find, tell };
}

async function run(kits: Kits, more: Parameters<typeof start>[1] = {}) {
  const process = await start(kits, more);
  await process.library.ensureAll();
  await process.library.close();
  return process;
}

const queries = ['send a letter', 'find a route', 'water the plants', 'add a note', 'MAPS_FIND_ROUTE'];

describe('R-tiers: the index in the data folder', () => {
  test('R-tiers: after a restart nothing is built again, and the answers are the same', async () => {
    const first = await run(usual());
    expect([first.entered.length, first.asked]).toEqual([4, ['notes']]);
    expect(await readdir(folder)).toEqual(['index.bin']);
    expect((await stat(join(folder, 'index.bin'))).mode & 0o777).toBe(0o600);
    const second = await run(usual());
    expect([second.entered, second.asked]).toEqual([[], []]);
    expect(queries.map(second.find)).toEqual(queries.map(first.find));
    expect(second.find('add a note')).toContain('notes/NOTES_ADD_NOTE');
    expect(errors).toEqual([]);
  });

  test('R-tiers: a change of the catalogue while no process ran is never missed in an answer', async () => {
    await run(usual());
    const kits = usual();
    kits.set('maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'draw_map', 'Draws a map')] });
    kits.delete('plants');
    kits.set('tea', { kit: kitOf('tea'), tools: [toolOf('tea', 'brew_tea', 'Brews tea')] });
    const apps = new Map([app('notes', 'two')]);
    const second = await start(kits, { apps, actions: [action('notes', 'NOTES_SHARE_NOTE', 'Shares a note')] });
    // Before its source was asked, nothing is said of any toolkit.
    expect([...second.library.open.keys()]).toEqual([]);
    await second.library.ensureAll();
    expect([...second.entered].sort()).toEqual(['maps/draw_map', 'notes/NOTES_SHARE_NOTE', 'tea/brew_tea']);
    for (const gone of ['MAPS_FIND_ROUTE', 'PLANTS_WATER_PLANTS', 'NOTES_ADD_NOTE'])
      expect(second.index.search(gone).hits.map(({ id }) => id)).not.toContainEqual(
        expect.stringMatching(/find_route|water_plants|NOTES_ADD/),
      );
    expect(second.find('share a note')).toContain('notes/NOTES_SHARE_NOTE');
    expect(second.find('brew tea')).toContain('tea/brew_tea');
    expect(second.index.size).toBe(4);
  });

  test('R-abstain: a toolkit whose source is down is not spoken of as an earlier process found it', async () => {
    await run(usual());
    const kits = usual();
    kits.set('plants', { kit: kitOf('plants'), tools: new Error('down') });
    const second = await start(kits);
    await second.library.ensureAll();
    expect([...second.library.open.keys()].sort()).toEqual(['mail', 'maps', 'notes']);
    expect(second.find('water the plants')).not.toContain('plants/water_plants');
    kits.set('plants', { kit: kitOf('plants'), tools: [toolOf('plants', 'water_plants', 'Waters plants')] });
    second.tell();
    await second.library.ensureAll();
    expect([second.find('water the plants')[0], second.entered]).toEqual(['plants/water_plants', []]);
  });

  test('R-tiers: a toolkit that changes while the file is written is read again', async () => {
    const kits = usual();
    const first = await start(kits);
    const save = first.index.save.bind(first.index);
    first.index.save = async () => {
      first.index.save = save;
      kits.set('maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'draw_map', 'Draws a map')] });
      first.tell();
      await first.library.ensure(['maps']);
      return save();
    };
    await first.library.ensureAll();
    // The file has the new tools of a toolkit of which the old ones were noted.
    const path = join(folder, 'index.bin');
    await expect.poll(() => readFile(path).catch(() => undefined)).toBeDefined();
    const written = await readFile(path);
    await first.library.close();
    await writeFile(path, written);
    const second = await run(usual());
    expect(second.entered).toEqual(['maps/find_route']);
    expect(second.find('find a route')).toContain('maps/find_route');
  });

  test('R-tiers: a file that is damaged, cut off or of another version is ignored and replaced', async () => {
    const first = await run(usual());
    const path = join(folder, 'index.bin');
    const whole = await readFile(path);
    const broken: Buffer[] = [Buffer.alloc(0), Buffer.alloc(64), whole.subarray(0, 12), whole.subarray(0, -1)];
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] ?? 0) ^ 0x11;
      broken.push(altered);
    }
    // Both checksums fit, and it was made by other code.
    const content = await createKeptIndex(folder).read();
    const old = Buffer.from(whole.toString('latin1').replace(/"stamp":"[0-9a-f]{4}/, '"stamp":"0000'), 'latin1');
    broken.push(old);
    for (const bytes of broken) {
      await writeFile(path, bytes);
      const second = await run(usual());
      expect(second.entered).toHaveLength(4);
      expect(queries.map(second.find)).toEqual(queries.map(first.find));
      const repaired = await createKeptIndex(folder).read();
      expect(repaired?.toolkits).toEqual(content?.toolkits);
    }
    expect(errors).toEqual([]);
  });

  test('R-tiers: what a killed process left half written is removed, what another one writes now is not', async () => {
    await run(usual());
    const [old, fresh] = ['index.bin.1.part', 'index.bin.2.part'].map((name) => join(folder, name)) as [string, string];
    for (const path of [old, fresh]) await writeFile(path, 'half');
    await utimes(old, new Date(0), new Date(0));
    const kits = usual();
    kits.delete('plants');
    await run(kits);
    expect((await readdir(folder)).sort()).toEqual(['index.bin', 'index.bin.2.part']);
  });

  test('R-tiers: a folder that cannot be written costs no search', async () => {
    await writeFile(folder, 'a file');
    const { find } = await run(usual());
    expect(find('send a letter')).toContain('mail/send_letter');
    expect(errors).toMatchObject([{ code: 'ENOTDIR' }]);
  });
});
