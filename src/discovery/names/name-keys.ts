/** The letters by which a tool may be named: with its toolkit, and alone. */
import { ownName } from '../postings/tool-text.js';
import { squash } from '../text/split-words.js';

export interface NameKeys {
  /** The toolkit and the tool's own name. */
  readonly full: string;
  /** The own name alone. */
  readonly bare: string;
  /** The toolkit and the unchanged name, even if the name repeats the toolkit. */
  readonly whole: string;
}

const plain = /^[\w.:/ -]*$/;

/** Like `squash`, but fast for names without accents and apostrophes, which nearly all are. */
export function keepLetters(text: string): string {
  return plain.test(text) ? text.toLowerCase().replace(/[^a-z0-9]+/g, '') : squash(text);
}

export function listKeys(toolkit: string, name: string): NameKeys {
  const slug = keepLetters(toolkit);
  const letters = keepLetters(name);
  const repeats = letters.startsWith(slug) && letters.length > slug.length;
  const bare = repeats ? keepLetters(ownName({ toolkit, name })) : letters;
  return { full: slug + bare, bare, whole: slug + letters };
}
