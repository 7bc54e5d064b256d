/**
 * Names of tools by their letters alone, found whole or with one typing error.
 *
 * One error leaves one half of a name whole (an exchange over the middle excepted, which is undone and looked up). So each
 * name is entered by both halves, with its length: far smaller than all its deletions, and as complete. What the hashes
 * find is compared letter by letter.
 */

export interface NameTable {
  add(tool: number, name: string): void;
  remove(tool: number, name: string): void;
  /** Tools that may have exactly this name; the caller compares. */
  exact(name: string): readonly number[];
  /** Tools that may have a name one error away; the caller compares. */
  near(name: string): Iterable<number>;
}

type Entries = Map<number, number | number[]>;
const seedOf = { whole: 0x811c9dc5, front: 0x01234567, back: 0x3c6ef372 };

export function createNameTable(): NameTable {
  const whole: Entries = new Map();
  const halves: Entries = new Map();
  const each = (name: string, act: (entries: Entries, key: number) => void) => {
    const middle = name.length >> 1;
    act(whole, hash(name, 0, name.length, seedOf.whole));
    act(halves, halfKey(name, 0, middle, name.length, seedOf.front));
    act(halves, halfKey(name, middle, name.length, name.length, seedOf.back));
  };
  return {
    add: (tool, name) => each(name, (entries, key) => enter(entries, key, tool)),
    remove: (tool, name) => each(name, (entries, key) => drop(entries, key, tool)),
    exact: (name) => list(whole.get(hash(name, 0, name.length, seedOf.whole))),
    *near(name) {
      for (const length of [name.length, name.length - 1, name.length + 1]) {
        const middle = length >> 1;
        const back = name.length - (length - middle);
        yield* list(halves.get(halfKey(name, 0, middle, length, seedOf.front)));
        yield* list(halves.get(halfKey(name, back, name.length, length, seedOf.back)));
      }
      const middle = name.length >> 1;
      if (middle > 0) yield* list(whole.get(hashText(exchange(name, middle))));
    },
  };
}

function exchange(name: string, at: number): string {
  return `${name.slice(0, at - 1)}${name[at] ?? ''}${name[at - 1] ?? ''}${name.slice(at + 1)}`;
}

function hashText(text: string): number {
  return hash(text, 0, text.length, seedOf.whole);
}

function halfKey(name: string, from: number, to: number, length: number, seed: number): number {
  return hash(name, from, to, Math.imul(seed ^ length, 0x01000193));
}

/** FNV-1a over a part of a text. */
function hash(text: string, from: number, to: number, seed: number): number {
  let value = seed;
  for (let at = from; at < to; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function list(entry: number | number[] | undefined): readonly number[] {
  return entry === undefined ? [] : typeof entry === 'number' ? [entry] : entry;
}

function enter(entries: Entries, key: number, tool: number): void {
  const known = entries.get(key);
  if (known === undefined) entries.set(key, tool);
  else if (typeof known === 'number') entries.set(key, [known, tool]);
  else known.push(tool);
}

function drop(entries: Entries, key: number, tool: number): void {
  const left = list(entries.get(key)).filter((one) => one !== tool);
  const [first] = left;
  if (first === undefined) entries.delete(key);
  else entries.set(key, left.length === 1 ? first : left);
}
