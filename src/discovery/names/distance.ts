/** The edit between `written` and `meant`: one character too many, one missing, one wrong, or two swapped. */
export type Edit = 'added' | 'missing' | 'wrong' | 'exchanged';

/** Returns the one typing error between two texts; undefined if they are equal, or more than one error apart. */
export function editBetween(written: string, meant: string): Edit | undefined {
  if (written === meant || Math.abs(written.length - meant.length) > 1) return undefined;
  let start = 0;
  while (start < written.length && written[start] === meant[start]) start += 1;
  if (endsAlike(written, start + 1, meant, start)) return 'added';
  if (endsAlike(written, start, meant, start + 1)) return 'missing';
  if (endsAlike(written, start + 1, meant, start + 1)) return 'wrong';
  const isExchanged = written[start] === meant[start + 1] && written[start + 1] === meant[start];
  return isExchanged && endsAlike(written, start + 2, meant, start + 2) ? 'exchanged' : undefined;
}

function endsAlike(one: string, from: number, other: string, otherFrom: number): boolean {
  return one.length - from === other.length - otherFrom && one.endsWith(other.slice(otherFrom));
}

/** Whether two different texts are one typing error apart. */
export function isOneEditApart(one: string, other: string): boolean {
  return editBetween(one, other) !== undefined;
}
