/** Finds the tools that a request names, exactly or with one typing error, in the toolkits it may use. */
import { toCodeName, toComposioName, toLegacyId, toModelName } from '../../domain/naming/index.js';
import { idIn, nameIn, type Shard } from '../postings/shard.js';
import { squash } from '../text/split-words.js';
import { closeness, measureCloseness } from './closeness.js';
import { isOneEditApart } from './distance.js';
import { keepLetters, listKeys } from './name-keys.js';
import type { NameTable } from './name-table.js';
import { type Reading, type WrittenName, writtenNames } from './written-names.js';

/** How a tool was named; earlier values are more certain. */
export type Naming = 'written' | 'full' | 'bare' | 'part' | 'mistyped';

/** A tool's place: its shard's number and its own number in the shard. */
export const findPlace = (shard: number, tool: number) => shard * 65_536 + tool;
export const getShard = (place: number) => Math.floor(place / 65_536);
export const toTool = (place: number) => place % 65_536;

export interface NamesInReach {
  readonly table: NameTable;
  shard(number: number): Shard | undefined;
  isAllowed(shard: number): boolean;
  /** Numbers of the available toolkits. */
  shards(): Iterable<number>;
  /** Whether the letters are an ordinary word of the catalogue or the name of an app. */
  isOrdinary(key: string): boolean;
}

/** A matching tool, how it matches, and how close its spelling is. */
interface Fit {
  readonly place: number;
  readonly naming: Naming;
  readonly near: number;
}

const order: readonly Naming[] = ['written', 'full', 'bare', 'part', 'mistyped'];

/** Returns the places of the named tools, each with how it was named. */
export function findNames(text: string, reach: NamesInReach): Map<number, Naming> {
  const found = new Map<number, Naming>();
  for (const one of writtenNames(text)) {
    for (const { place, naming } of findOne(one, reach)) {
      const before = found.get(place);
      if (before === undefined || order.indexOf(naming) < order.indexOf(before)) found.set(place, naming);
    }
  }
  return found;
}

/** The most certain kind decides: complete names, then shortened ones, then mistyped ones, then ends of names. */
function findOne(name: WrittenName, reach: NamesInReach): readonly Fit[] {
  if (name.maybeWord && reach.isOrdinary(name.readings[0]?.key ?? '')) return [];
  const whole = name.readings.map((reading) => ({ reading, fits: findWhole(reading, reach) }));
  const full = whole.flatMap(({ fits }) => fits.filter(({ naming }) => naming !== 'bare'));
  if (full.length > 0 || name.isProse) return full;
  // A part of a name next to a slug that matches no toolkit may just as well be a mistyped name.
  const sure = whole.flatMap(({ reading, fits }) => (reading.slug === undefined ? fits : []));
  if (sure.length > 0) return sure;
  const shortened = name.readings.flatMap((reading) => findShortened(reading, reach));
  if (shortened.length > 0) return shortened;
  const near = findNear(name, reach);
  if (near.length > 0) return near;
  for (const { fits } of whole) if (fits.length > 0) return fits;
  for (const end of name.ends) {
    const ends = findByKey(end, reach).filter(({ naming }) => naming === 'bare');
    if (ends.length > 0) return ends.map((fit) => ({ ...fit, naming: 'part' }));
  }
  return [];
}

function findNear({ readings, joined, mayBeMistyped }: WrittenName, reach: NamesInReach): readonly Fit[] {
  const [first] = readings;
  const isWord = first === undefined || (reach.isOrdinary(first.key) && !/[_.]/.test(first.written));
  if (!mayBeMistyped || isWord) return [];
  return nearest([
    ...readings.flatMap((reading) => findMistyped(reading, reach)),
    ...joined.flatMap((reading) => [...markMistyped(findWhole(reading, reach)), ...findMistyped(reading, reach)]),
  ]);
}

const markMistyped = (fits: readonly Fit[]) => fits.map((fit): Fit => ({ ...fit, naming: 'mistyped' }));

/** The matches with the closest spelling. */
function nearest(fits: readonly Fit[]): readonly Fit[] {
  const least = Math.min(...fits.map(({ near }) => near));
  return fits.filter(({ near }) => near === least);
}

/** Tools with exactly these letters; of several in one toolkit, those with the closest spelling. */
function findWhole(reading: Reading, reach: NamesInReach): readonly Fit[] {
  const fits = findByKey(reading.key, reach, reading.written);
  const best = new Map<number, number>();
  for (const { place, near } of fits)
    best.set(getShard(place), Math.min(near, best.get(getShard(place)) ?? closeness.letters));
  const kept = fits.filter(({ place, near }) => near === best.get(getShard(place)));
  return reading.slug === undefined ? kept : keepOfSlug(kept, reading.slug, reach);
}

function findByKey(key: string, reach: NamesInReach, written = ''): Fit[] {
  const fits: Fit[] = [];
  if (key === '') return fits;
  const seen = new Set<number>();
  reach.table.exact(key, (place) => {
    const shard = seen.has(place) ? undefined : inReach(place, reach);
    if (shard === undefined) return;
    seen.add(place);
    const keys = listKeys(shard.toolkit, nameIn(shard, toTool(place)));
    const isFull = keys.full === key || keys.whole === key;
    if (!isFull && keys.bare !== key) return;
    const spelt = measureCloseness(written, spelling(shard, toTool(place)));
    const isWritten = spelt.value <= closeness.case && spelt.isFull && isFull;
    fits.push({ place, near: spelt.value, naming: isWritten ? 'written' : isFull ? 'full' : 'bare' });
  });
  return fits;
}

function findMistyped({ key, written, slug }: Reading, reach: NamesInReach): readonly Fit[] {
  const fits: Fit[] = [];
  const seen = new Set<number>();
  reach.table.near(key, (place) => {
    const shard = seen.has(place) ? undefined : inReach(place, reach);
    if (shard === undefined) return;
    seen.add(place);
    const { full, bare, whole } = listKeys(shard.toolkit, nameIn(shard, toTool(place)));
    if (![full, bare, whole].some((each) => isOneEditApart(key, each))) return;
    fits.push({ place, naming: 'mistyped', near: measureCloseness(written, spelling(shard, toTool(place))).value });
  });
  return slug === undefined ? fits : markMistyped(keepOfSlug(fits, slug, reach));
}

function inReach(place: number, reach: NamesInReach): Shard | undefined {
  return reach.isAllowed(getShard(place)) ? reach.shard(getShard(place)) : undefined;
}

function spelling(shard: Shard, tool: number) {
  return { toolkit: shard.toolkit, id: idIn(shard, tool), name: nameIn(shard, tool) };
}

/**
 * A slug usually identifies the toolkit (`work-gmail`): its tools are preferred, others count only if it identifies
 * none.
 */
function keepOfSlug(fits: readonly Fit[], slug: string, reach: NamesInReach): readonly Fit[] {
  const letters = squash(slug);
  const kept = fits.filter(({ place }) => letters.includes(squash(reach.shard(getShard(place))?.toolkit ?? '\n')));
  return kept.length > 0 ? kept.map((fit) => ({ ...fit, naming: 'full' })) : fits;
}

const fingerprinted = /_[0-9a-f]{16}$/i;

/**
 * An unusual or long name is shortened and ends in a fingerprint: tools that start alike are written out and compared.
 */
function findShortened({ written, slug }: Reading, reach: NamesInReach): Fit[] {
  if (!fingerprinted.test(written)) return [];
  const fits: Fit[] = [];
  const readable = keepLetters(written.replace(fingerprinted, ''));
  for (const number of reach.shards()) {
    const shard = reach.shard(number);
    if (shard === undefined || !reach.isAllowed(number)) continue;
    const slugLetters = keepLetters(shard.toolkit);
    const hasSlug = readable.startsWith(slugLetters);
    for (let tool = 0; tool < shard.size; tool++) {
      const own = nameIn(shard, tool);
      if (!hasSlug && beginsOtherwise(own, readable)) continue;
      const id = { toolkit: shard.toolkit, name: own };
      const forms = [toModelName(id, slug), toComposioName(id), toLegacyId(id), toCodeName(id)];
      if (forms.some((form) => form === written || form.replace(/^composio-|^.*?__/i, '') === written))
        fits.push({ place: findPlace(number, tool), naming: 'full', near: closeness.same });
    }
  }
  return fits;
}

/** Comparing one letter avoids spelling out nearly all names; characters that a shortened name omits are unknown. */
function beginsOtherwise(name: string, letters: string): boolean {
  if (!/^[\w.:/ -]*$/.test(name)) return false;
  const own = keepLetters(name);
  return own[0] !== letters[0] || !(own.startsWith(letters) || letters.startsWith(own));
}
