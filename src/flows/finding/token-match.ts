/** Matches tools by the words of their names in a text, deliberately simple. For curated prompts. */
import { splitName, splitProse, stem, stopWords } from '../../discovery/index.js';
import { remembered } from '../../util/remembered.js';
import type { ReachedTool } from './reach.js';

export interface TokenMatch {
  readonly entry: ReachedTool;
  /** 0 to 1: how much of the name occurs in the text. */
  readonly score: number;
}

/** Best first. At least two words of a name must occur in the text, or all of its words. */
export function matchTokens(text: string, entries: readonly ReachedTool[], limit: number): readonly TokenMatch[] {
  const said = new Set(stems(splitProse(text)));
  const matches: TokenMatch[] = [];
  for (const entry of entries) {
    const { toolkit, name } = entry.tool.id;
    const own = nameWords(name);
    const hits = own.filter((word) => said.has(word)).length;
    if (hits === 0) continue;
    const app = nameWords(toolkit);
    const names = app.length > 0 && app.every((word) => said.has(word)) ? 1 : 0;
    if (hits < Math.min(2, own.length) && names === 0) continue;
    matches.push({ entry, score: (hits + names) / (own.length + 1) });
  }
  return matches.sort((a, b) => b.score - a.score || compare(a.entry.name, b.entry.name)).slice(0, limit);
}

const nameWords = remembered(50_000, (name: string): readonly string[] => [...new Set(stems(splitName(name)))]);

const stems = (words: readonly string[]): string[] => words.filter((word) => !stopWords.has(word)).map(stem);

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
