/** Finds the name that a mistyped name most likely stands for, and writes it at the end of an error. */

/** Returns the candidate with the smallest edit distance, if that is at most a third of the word's length, and at most `most`. */
export function nearest(
  word: string,
  candidates: readonly string[],
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(most, Math.max(1, Math.floor(word.length / 3))) + 1;
  if (word.length > 100) return undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The hint of an error about a name: the one that was meant, or the other sentence. */
export function didYouMean(meant: string | undefined, otherwise = ''): string {
  return meant === undefined ? otherwise : `Did you mean ${meant}?`;
}

/** The same for the nearest of the names that there are; if none is near, it lists them. */
export function suggestName(word: string, names: readonly string[], otherwise = `It has ${listNames(names)}.`): string {
  return didYouMean(nearest(word, names), otherwise);
}

/** The end of a message that has no hint, such as that of a line of `helve.yaml`. */
export function orDidYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

const mostListed = 20;

/** The first names in a sentence, and how many more there are. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  return `${names.slice(0, mostListed).join(', ')}${more}`;
}

/** Two neighbouring letters that are exchanged count as one edit, as hands do that often. */
function editDistance(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const exchange = isExchanged ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(substitution, exchange, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
