/** The tools that a request names, whole or with one typing error, in the toolkits it may use. */
import { toComposioName, toLegacyId, toModelName } from '../../spec/naming/index.js';
import type { Shard } from '../postings/shard.js';
import { ownName } from '../postings/tool-text.js';
import { squash } from '../text/split-words.js';
import { isOneEditApart } from './distance.js';
import type { NameTable } from './name-table.js';
import { type WrittenName, writtenNames } from './written-names.js';

/** How a tool was named; the lower, the surer. */
export type Naming = 'written' | 'full' | 'bare' | 'part' | 'mistyped';

/** A tool's place: its shard's number and its own in the shard. */
export const placeOf = (shard: number, tool: number) => shard * 65_536 + tool;
export const shardOf = (place: number) => Math.floor(place / 65_536);
export const toolOf = (place: number) => place % 65_536;

export interface NamesInReach {
  readonly table: NameTable;
  shard(number: number): Shard | undefined;
  isAllowed(shard: number): boolean;
  /** Numbers of the toolkits in reach. */
  shards(): Iterable<number>;
  /** Whether the letters are an ordinary word of the catalogue or the name of an app. */
  isOrdinary(key: string): boolean;
}

/** The keys a tool is entered by: with its toolkit, and alone. */
export function keysOf(shard: Shard, tool: number): { full: string; bare: string; whole: string } {
  const name = shard.names[tool] ?? '';
  const bare = squash(ownName({ toolkit: shard.toolkit, name }));
  return { full: squash(shard.toolkit) + bare, bare, whole: squash(shard.toolkit) + squash(name) };
}

const order: readonly Naming[] = ['written', 'full', 'bare', 'part', 'mistyped'];

/** Places of the tools named, each with how. */
export function findNames(text: string, reach: NamesInReach): Map<number, Naming> {
  const found = new Map<number, Naming>();
  for (const one of writtenNames(text)) {
    for (const [place, naming] of findOne(one, reach)) {
      const before = found.get(place);
      if (before === undefined || order.indexOf(naming) < order.indexOf(before)) found.set(place, naming);
    }
  }
  return found;
}

function findOne(name: WrittenName, reach: NamesInReach): Map<number, Naming> {
  const found = new Map<number, Naming>();
  if (name.key === '') return found;
  const isShort = name.slug === undefined && reach.isOrdinary(name.key) && !/[_.]/.test(name.written);
  const look = (places: Iterable<number>, fits: (key: string) => boolean, bare: Naming, full: Naming) => {
    for (const place of places) {
      const shard = reach.shard(shardOf(place));
      if (shard === undefined || !reach.isAllowed(shardOf(place))) continue;
      const keys = keysOf(shard, toolOf(place));
      const isWritten = full === 'full' && isLetterForLetter(name.written, shard, toolOf(place));
      if (isWritten) found.set(place, 'written');
      else if (fits(keys.full) || fits(keys.whole)) found.set(place, full);
      else if (fits(keys.bare) && !found.has(place)) found.set(place, bare);
    }
  };
  look(reach.table.exact(name.key), (key) => key === name.key, 'bare', 'full');
  if (found.size === 0) findShortened(name, reach, found);
  if (found.size === 0) {
    for (const end of name.ends) look(reach.table.exact(end), (key) => key === end, 'part', 'part');
  }
  if (found.size === 0 && name.mayBeMistyped && !isShort)
    look(reach.table.near(name.key), (key) => isOneEditApart(key, name.key), 'mistyped', 'mistyped');
  return name.slug === undefined ? found : keepOfSlug(found, name.slug, reach);
}

/** Tells apart names that only differ in how their letters are joined. */
function isLetterForLetter(written: string, shard: Shard, tool: number): boolean {
  const form = written.toLowerCase().replace(/^composio-/, '');
  const joined = `${shard.toolkit}_${shard.names[tool] ?? ''}`.toLowerCase();
  return form === joined || form === shard.ids[tool]?.toLowerCase();
}

/** A slug usually tells the toolkit (`work-gmail`): its tools first, others only if it tells none. */
function keepOfSlug(found: Map<number, Naming>, slug: string, reach: NamesInReach): Map<number, Naming> {
  const letters = squash(slug);
  const kept = [...found].filter(([place]) => letters.includes(squash(reach.shard(shardOf(place))?.toolkit ?? '\n')));
  return kept.length > 0 ? new Map(kept.map(([place]) => [place, 'full'])) : found;
}

const fingerprinted = /_[0-9a-f]{16}$/i;

/** An odd or long name is shortened and ends in a fingerprint: tools that begin alike are written out and compared. */
function findShortened(name: WrittenName, reach: NamesInReach, found: Map<number, Naming>): void {
  if (!fingerprinted.test(name.written)) return;
  const readable = squash(name.written.replace(/^composio-|^.*?__/, '').replace(fingerprinted, ''));
  for (const number of reach.shards()) {
    const shard = reach.shard(number);
    for (const [tool, own] of shard?.names.entries() ?? []) {
      const id = { toolkit: shard?.toolkit ?? '', name: own };
      const letters = squash(id.toolkit) + squash(own);
      if (!letters.includes(readable) && !readable.includes(squash(id.toolkit))) continue;
      const forms = [toModelName(id, name.slug), toComposioName(id), toLegacyId(id)];
      if (forms.includes(name.written)) found.set(placeOf(number, tool), 'full');
    }
  }
}
