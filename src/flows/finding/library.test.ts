/** The one index of a process: built toolkit by toolkit, and updated when providers and the catalogue change. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Provider } from '../../domain/provider.js';
import type { Tool, Toolkit } from '../../domain/tool.js';
import { createRegistry } from '../../registry/index.js';
import type { KeptIndex } from './kept/kept-index.js';
import { createLibrary, type Library } from './library.js';
import { action, app, changing, kitOf, noApps, readerOf, toolOf } from './testing/sources.js';

let library: Library;
const open = (provider: Provider, reader = noApps, kept?: KeptIndex) =>
  createLibrary({
    registry: createRegistry([provider]),
    reader,
    kept,
    reportError: (error) => {
      throw error;
    },
  });
afterEach(() => library.close());

const idsFor = async (query: string, toolkits?: string[]) =>
  (await library.index).search(query, toolkits === undefined ? {} : { toolkits }).hits.map(({ id }) => id);

describe('R-tiers: the index of a process', () => {
  test('R-tiers: contains the requested toolkits; then all, once', async () => {
    const kits = new Map([
      ['mail', { kit: kitOf('mail'), tools: [toolOf('mail', 'send_letter', 'Sends a letter')] }],
      ['maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'find_route', 'Finds a route between cities')] }],
    ]);
    const { provider, reads } = changing(kits);
    library = open(provider);
    await Promise.all([library.ensure(['mail']), library.ensure(['mail'])]);
    expect([await idsFor('send a letter'), library.size]).toEqual([['mail/send_letter'], { tools: 1, toolkits: 1 }]);
    await Promise.all([library.ensureAll(), library.ensureAll()]);
    expect(await idsFor('find a route')).toContain('maps/find_route');
    expect(reads).toEqual(['mail', 'maps']);
  });

  test('R-tiers: a changed toolkit is replaced, a removed one is removed, the others are not touched', async () => {
    const same = toolOf('mail', 'send_letter', 'Sends a letter');
    const kits = new Map([
      ['mail', { kit: kitOf('mail'), tools: [same] }],
      ['maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'find_route', 'Finds a route')] }],
      ['gone', { kit: kitOf('gone'), tools: [toolOf('gone', 'water_plants', 'Waters plants')] }],
    ]);
    const { provider, tell } = changing(kits);
    library = open(provider);
    await library.ensureAll();
    const index = await library.index;
    const added: string[] = [];
    const add = index.add.bind(index);
    index.add = async (tools) => {
      added.push(...tools.map(({ id }) => id));
      await add(tools);
    };
    kits.delete('gone');
    kits.set('maps', { kit: kitOf('maps'), tools: [toolOf('maps', 'draw_map', 'Draws a map')] });
    tell();
    await library.ensureAll();
    expect(added).toEqual(['maps/draw_map']);
    expect([library.size.tools, library.open.has('gone')]).toEqual([2, false]);
    expect(await idsFor('water plants')).not.toContain('gone/water_plants');
    expect(await idsFor('run MAPS_FIND_ROUTE')).not.toContain('maps/find_route');
  });

  test('R-tiers: an app that is not connected is represented by its actions, which are read again only after a change', async () => {
    const apps = new Map([app('notes', 'one'), app('tasks', 'one')]);
    const actions = [
      action('notes', 'NOTES_ADD_NOTE', 'Adds a note'),
      action('tasks', 'TASKS_ADD_TASK', 'Adds a task'),
    ];
    const asked: string[] = [];
    const onDemand = { provider: 'composio', needsConnection: true, onDemand: true } as const;
    const kits = new Map([
      ['notes', { kit: kitOf('notes', onDemand), tools: [toolOf('notes', 'add_note', 'Adds a note')] }],
      ['tasks', { kit: kitOf('tasks', onDemand), tools: [toolOf('tasks', 'add_task', 'Adds a task')] }],
    ]);
    const { provider, reads, tell } = changing(kits);
    library = open(provider, readerOf(apps, actions, asked));
    await library.ensureAll();
    expect([asked, reads, await idsFor('add a note')]).toEqual([
      ['notes', 'tasks'],
      [],
      expect.arrayContaining(['notes/NOTES_ADD_NOTE']),
    ]);
    // Connected: from now on represented by the tools themselves.
    await library.ensure(['notes']);
    expect(await idsFor('add a note', ['notes'])).toEqual(['notes/add_note']);
    apps.set(...app('tasks', 'two'));
    tell();
    await library.ensureAll();
    tell();
    await library.ensureAll();
    expect(asked).toEqual(['notes', 'tasks', 'tasks']);
    expect(await idsFor('add a note', ['notes'])).toEqual(['notes/add_note']);
  });

  test('R-abstain: a source that is down blocks no one, and is included once it can be read', async () => {
    const broken: { kit: Toolkit; tools: Tool[] | Error } = { kit: kitOf('down'), tools: new Error('down') };
    const kits = new Map([
      ['down', broken],
      ['mail', { kit: kitOf('mail'), tools: [toolOf('mail', 'send_letter', 'Sends a letter')] }],
    ]);
    const { provider, tell } = changing(kits);
    library = open(provider);
    await library.ensureAll();
    expect(library.size).toEqual({ tools: 1, toolkits: 1 });
    await expect(library.ensure(['down'])).rejects.toThrow('down');
    kits.set('down', { kit: kitOf('down'), tools: [toolOf('down', 'water_plants', 'Waters plants')] });
    tell();
    await library.ensureAll();
    expect(await idsFor('water the plants')).toContain('down/water_plants');
  });

  test('R-visibility: tools that a server lists for an account, and those of the plane itself, are open to no one', async () => {
    const kits = new Map([
      ['private', { kit: kitOf('private', { needsConnection: true }), tools: [toolOf('private', 'x', 'X')] }],
      ['inside', { kit: kitOf('inside', { internal: true }), tools: [toolOf('inside', 'y', 'Y')] }],
      ['mail', { kit: kitOf('mail'), tools: [toolOf('mail', 'send_letter', 'Sends a letter')] }],
    ]);
    const { provider, reads } = changing(kits);
    library = open(provider);
    await library.ensureAll();
    expect([[...library.open.keys()], reads]).toEqual([['mail'], ['mail']]);
  });
});
