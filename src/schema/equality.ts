/** JSON values as text: equal values have equal texts, whatever the order of their keys; `1` and `1.0` are equal. */

/** Throws a RangeError for values nested thousands of levels deep. */
function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const parts: string[] = [];
  for (const name of Object.keys(members).sort()) {
    if (members[name] !== undefined) parts.push(`${JSON.stringify(name)}:${toText(members[name])}`);
  }
  return `{${parts.join(',')}}`;
}

const isCompound = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Creates a test for whether a value is one of these. */
export function memberTest(members: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(members.filter((member) => !isCompound(member)));
  const texts = new Set(members.filter(isCompound).map(toText));
  if (texts.size === 0) return (value) => plain.has(value);
  return (value) => (isCompound(value) ? texts.has(toText(value)) : plain.has(value));
}

export function hasDuplicates(items: readonly unknown[]): boolean {
  const plain = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    const into: Set<unknown> = isCompound(item) ? texts : plain;
    const key = isCompound(item) ? toText(item) : item;
    if (into.has(key)) return true;
    into.add(key);
  }
  return false;
}

/** Steps (of `run.ts`) for each value within a value that is converted to text. */
export const perWeight = 40;

/** Steps to compare a value: one for each value in it. Stops early once there are more than `max`. */
export function computeWeight(value: unknown, most: number): number {
  if (!isCompound(value)) return 1;
  let weight = 0;
  const stack: unknown[] = [value];
  for (let next = stack.pop(); next !== undefined && weight <= most; next = stack.pop()) {
    weight += 1;
    if (!isCompound(next)) continue;
    for (const part of Object.values(next as object)) {
      if (isCompound(part)) stack.push(part);
      else weight += 1;
    }
  }
  return weight;
}
