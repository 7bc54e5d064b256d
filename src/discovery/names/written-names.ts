/**
 * Parts of a request that are written like the name of a tool: `GITHUB_CREATE_ISSUE`, `github.createIssue`,
 * `composio-github_create_issue`, `work-gmail__send_gmail_message`. Ordinary words are not, so they never find a tool
 * by accident: only those in backticks, or a word that is the whole request, are read as names.
 */
import { letterPattern } from '../text/letters.js';
import { squash } from '../text/split-words.js';
import { minMistyped } from './name-table.js';

/** One interpretation of a written name. */
export interface Reading {
  readonly written: string;
  /** Its letters and digits. */
  readonly key: string;
  /** The connection's slug, in the form that a model uses. */
  readonly slug?: string | undefined;
}

export interface WrittenName {
  /** Most certain first. */
  readonly readings: readonly Reading[];
  /** Joined with the previous or next word, in case a space was typed into the name. */
  readonly joined: readonly Reading[];
  /** Letters of its ends, at least two words each: what remains if the beginning is unknown. */
  readonly ends: readonly string[];
  /** Whether it may be mistyped; a word that is only quoted may not. */
  readonly mayBeMistyped: boolean;
  /**
   * A word of mixed case (`GitHub`, `createIssue`) that is not quoted: it may just as well be an ordinary word or an
   * app.
   */
  readonly maybeWord: boolean;
  /** The whole request, written as words: this only means a name that includes its toolkit. */
  readonly isProse: boolean;
}

const maxNames = 64;
const maxTokens = 2_000;
const longest = 256;
const maxEnds = 8;
const maxProse = 8;
const tokenShape = /`[^`]+`|[^\s"`,;()<>[\]{}|“”„«»‘’…—*=]+/g;
const edges = letterPattern(String.raw`^[^\p{L}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+$`, 'g');
const shaped = letterPattern(
  String.raw`[\p{L}\p{N}](?:_+|\.|::|\/)[\p{L}\p{N}]|[\p{Ll}][\p{Lu}]|_[\p{L}\p{N}]|^composio-`,
);
const jointed = /[_./-]|::/;
const legacy = /^composio-/i;

export function writtenNames(text: string): WrittenName[] {
  const found: WrittenName[] = [];
  const tokens = (text.match(tokenShape) ?? []).slice(0, maxTokens);
  const words = tokens.map((token) => token.replace(edges(token), ''));
  for (const [at, word] of words.entries()) {
    if (found.length >= maxNames) break;
    const isShaped = shaped(word).test(word);
    const isQuoted = tokens[at]?.startsWith('`') === true || tokens.length === 1;
    if (word.length > longest || (!isQuoted && !isShaped)) continue;
    const beside = word.includes('_') ? [join(word, words[at + 1]), join(words[at - 1], word)] : [];
    found.push(read(word, { isShaped, isQuoted }, beside.flat()));
  }
  if (tokens.length > 1 && tokens.length <= maxProse && text.length <= longest)
    found.push({
      readings: [reading(text)],
      joined: [],
      ends: [],
      mayBeMistyped: false,
      maybeWord: false,
      isProse: true,
    });
  return found.filter(({ readings }) => readings[0]?.key !== '');
}

function join(one: string | undefined, other: string | undefined): Reading[] {
  const isNothing = one === undefined || other === undefined || one === '' || other === '';
  return isNothing || one.length + other.length >= longest ? [] : [reading(`${one}_${other}`)];
}

const reading = (written: string, slug?: string): Reading => ({ written, key: squash(written), slug });

function read(
  word: string,
  { isShaped, isQuoted }: { readonly isShaped: boolean; readonly isQuoted: boolean },
  joined: readonly Reading[],
): WrittenName {
  const bare = word.replace(legacy, '');
  const cut = bare.indexOf('__', 1);
  const name = cut > 0 ? bare.slice(cut + 2) : bare;
  const readings = [
    reading(bare),
    ...(cut > 0 && name !== '' ? [reading(name, bare.slice(0, cut))] : []),
    ...(bare === word ? [] : [reading(word)]),
  ];
  const parts = name.split(/[_\-./]+|::/).filter((part) => part !== '');
  const ends = parts.slice(1, -1).map((_, at) => squash(parts.slice(at + 1).join('')));
  const mayBeMistyped = isShaped && squash(bare).length >= minMistyped;
  const maybeWord = !isQuoted && !jointed.test(word);
  return { readings, joined, ends: ends.slice(0, maxEnds), mayBeMistyped, maybeWord, isProse: false };
}
