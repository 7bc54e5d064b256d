/** When the index of tools is saved: some time after it changed, and when the process ends. */
import type { ToolIndex } from '../../../discovery/index.js';
import type { KeptIndex, KeptToolkit } from './kept-index.js';

export interface Saving {
  /** A toolkit is being added or removed: until `end`, its entries are not reliable. */
  begin(toolkit: string): void;
  end(toolkit: string): void;
  /** Saves in the background what has changed since the last time, at most once a minute. */
  soon(): void;
  close(): Promise<void>;
}

interface SavingParts {
  readonly kept: KeptIndex | undefined;
  /** What the toolkits of the index were read from. */
  readonly held: ReadonlyMap<string, Omit<KeptToolkit, 'slug'>>;
  readonly index: () => Promise<ToolIndex> | undefined;
  readonly reportError: (error: unknown) => void;
}

const pauseMs = 60_000;

export function createSaving({ kept, held, index, reportError }: SavingParts): Saving {
  const changing = new Set<string>();
  /** Toolkits that changed since the last save began. */
  const touched = new Set<string>();
  let isChanged = false;
  let timer: NodeJS.Timeout | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let work: Promise<void> = Promise.resolve();

  /** A toolkit that changes while the index is written may be in the file in either form. */
  async function save(): Promise<void> {
    const tools = await index();
    if (kept === undefined || tools === undefined || !isChanged) return;
    isChanged = false;
    last = Date.now();
    touched.clear();
    for (const slug of changing) touched.add(slug);
    const toolkits = new Map<string, KeptToolkit>();
    for (const [slug, { as, stamp }] of held) toolkits.set(slug, { slug, as, stamp });
    const saved = await tools.save();
    for (const slug of touched) toolkits.set(slug, { slug, as: 'tools', stamp: '' });
    await kept.write({ toolkits: [...toolkits.values()], index: saved });
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    work = work.then(save).catch((error: NodeJS.ErrnoException) => {
      // Without its folder there is nothing to keep it for.
      if (error.code !== 'ENOENT') reportError(error);
    });
    return work;
  }

  return {
    begin(toolkit) {
      changing.add(toolkit);
      touched.add(toolkit);
    },
    end(toolkit) {
      changing.delete(toolkit);
      isChanged = true;
    },
    soon() {
      if (kept === undefined || !isChanged || timer !== undefined) return;
      timer = setTimeout(start, Math.max(0, last + pauseMs - Date.now())).unref();
    },
    close: start,
  };
}
