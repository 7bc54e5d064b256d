/**
 * Capabilities: what a tool does to what (`send message`), and what a request asks for. A tool with an effect that a
 * request does not ask for is not offered for it and, if a call carries the request, not run.
 *
 * Reading never contradicts a request: to send a message, an agent may have to look for the channel first. A request
 * that names no clear act matches everything.
 */
import { remembered } from '../util/remembered.js';
import { nameWords } from './postings/tool-text.js';
import { type Act, clauseWords, readActs, readNameActs } from './text/acts.js';
import { detectLanguage } from './text/languages/detect.js';
import { toEnglish } from './text/languages/translate.js';
import { findPhrases } from './text/phrases.js';
import { relatedStems } from './text/related-words.js';
import { readSigns } from './text/signs.js';
import { stem } from './text/stem.js';
import { agreement, isAskedVerb, isReading, verbMask, verbNames } from './text/verbs.js';
import { articles, qualifiers, stopWords } from './text/vocabulary-data.js';
import type { DiscoveredTool } from './tool.js';

export interface Capability {
  /** The verb that names a class of verbs: `create` for `add`, `make`, `insert`. */
  readonly verb: string;
  /** The object of the verb, as words: `pull request`; empty if there is none. */
  readonly object: string;
}

interface NamedTool extends Pick<DiscoveredTool, 'toolkit' | 'name' | 'description'> {
  /** What it does beyond its name, as its author says: `rename file`. */
  readonly capabilities?: readonly string[];
}

export type IntentCheck =
  | { readonly fits: true }
  | { readonly fits: false; readonly asked: readonly Capability[]; readonly does: readonly Capability[] };

/** Verbs with less agreement do not match; those with moderate agreement match only for the same object. */
const minAgreement = 0.4;
const enoughAgreement = 0.5;
/** Requests for several acts that name none. */
const vague = new Set([
  'manage',
  'handle',
  'perform',
  'crud',
  'work',
  'organize',
  'administer',
  'automate',
  'operate',
  // Phrases whose meaning is in the noun: put in the bin, take off the list, look into it.
  'put',
  'take',
  'look',
  'looking',
  'give',
  'set',
  'keep',
  'bring',
  'turn',
  'drop',
]);

/** What a tool does, judged by its name, or by its description if the name has no verb. */
export function listCapabilities(tool: NamedTool): readonly Capability[] {
  return getActs(tool).flatMap(toCapabilities);
}

/**
 * Whether a call of the tool does what a request asks for, as far as all that the request asks for can be read. Pure; both
 * texts are arbitrary.
 */
export function checkIntent(text: string, tool: NamedTool): IntentCheck {
  const all = readClauses(text, detectLanguage(text));
  return all.some((_, at) => isUnknownVerb(all, at)) ? { fits: true } : checkAgainst(toIntent(text, all), tool);
}

/** What a request asks for, parsed once for many tools. */
export interface Intent {
  readonly asked: readonly Act[];
  /** Stems of all words in the request, and those of their synonyms. */
  readonly wanted: readonly string[];
}

/** Reads what a request asks for, once for many tools. `language`: undefined for English. */
export function readIntent(text: string, language = detectLanguage(text)): Intent {
  return toIntent(text, readClauses(text, language));
}

/** The words and punctuation of a request, in English, with the verbs of APIs in the place of everyday phrases. */
const readClauses = (text: string, language: ReturnType<typeof detectLanguage>): readonly string[] =>
  readPhrases(clauseWords(language === undefined ? text : toEnglish(text, language)));

function toIntent(text: string, all: readonly string[]): Intent {
  const asked = all.some((word) => vague.has(word)) ? [] : readActs(all);
  const said = [...all, ...readSigns(text)];
  return { asked, wanted: said.filter((word) => !stopWords.has(word)).flatMap(withRelated) };
}

const sequels = new Set(['and', 'then', 'also', ',', ';', '.']);
const objectStarts = new Set([...articles, ...'me him her us them it what all everyone everybody'.split(' ')]);
objectStarts.delete('of');

/** Whether a word stands where a verb does, and no act is read from it: `remind` in `and remind the customers`. */
function isUnknownVerb(all: readonly string[], at: number): boolean {
  const [before = '', word = '', next = ''] = [all[at - 1], all[at], all[at + 1]];
  const standsLikeVerb = sequels.has(before) && objectStarts.has(next);
  return standsLikeVerb && !stopWords.has(word) && !qualifiers.has(word) && verbMask(stem(word)) === 0;
}

/** Replaces everyday phrases by the verbs of APIs: `get rid of the draft` asks to delete it. */
function readPhrases(all: readonly string[]): string[] {
  const read: string[] = [];
  let next = 0;
  for (const { from, to, between, words } of findPhrases(all.map((word) => word.toLowerCase()))) {
    const verb = words.find(isAskedVerb);
    const isAct = verb !== undefined && (to - from > 1 || verbMask(stem(all[from] ?? '')) === 0);
    if (!isAct) continue;
    const things = words.filter((word) => !isAskedVerb(word));
    read.push(...all.slice(next, from), verb, ...all.slice(from + 1, from + 1 + between), ...things);
    next = to;
  }
  return [...read, ...all.slice(next)];
}

/** Whether a tool does what a request, read by `readIntent`, asks for. */
export function checkAgainst({ asked, wanted }: Intent, tool: NamedTool): IntentCheck {
  if (asked.length === 0) return { fits: true };
  const does = getActs(tool);
  if (does.length === 0 || does.some(({ mask }) => isReading(mask))) return { fits: true };
  const fits = does.some((act) => asked.some((wish) => agree(wish, act, wanted)));
  return fits ? { fits } : { fits, asked: asked.flatMap(toCapabilities), does: does.flatMap(toCapabilities) };
}

/** What is often done by changing a field: an API that cannot close a deal can set its status. */
const updatingMask = ['close', 'move', 'enable', 'disable', 'lock', 'unlock', 'assign'].reduce(
  (mask, verb) => mask | verbMask(stem(verb)),
  0,
);

function agree(asked: Act, does: Act, wanted: readonly string[]): boolean {
  const verbs = agreement(asked.mask, does.mask);
  if (verbs >= enoughAgreement || asked.objects.some((one) => (verbMask(stem(one)) & does.mask) !== 0)) return true;
  const isUpdate = (does.mask & verbMask(stem('update'))) !== 0;
  if (isUpdate && (asked.mask & updatingMask) !== 0) return true;
  // Adding a label to an issue also changes the issue.
  const changes = isUpdate && (asked.mask & verbMask(stem('create'))) !== 0;
  return (
    (changes || verbs >= minAgreement) && does.objects.some((one) => wanted.some((other) => isAlike(stem(one), other)))
  );
}

/** `todolist` and `todo`: a catalogue joins words that people separate. */
function isAlike(one: string, other: string): boolean {
  return one === other || (Math.min(one.length, other.length) > 3 && (one.includes(other) || other.includes(one)));
}

function withRelated(word: string): string[] {
  const stemmed = stem(word);
  return [stemmed, ...relatedStems(stemmed)];
}

function toCapabilities({ mask, objects }: Act): Capability[] {
  return verbNames(mask).map((verb) => ({ verb, object: objects.join(' ') }));
}

/** The acts in a tool's name, cached because the same tools are found again and again. */
const namedActs = remembered(
  20_000,
  (tool: NamedTool): readonly Act[] => readNameActs(nameWords(tool)),
  ({ toolkit, name }) => `${toolkit} ${name}`,
);

function getActs(tool: NamedTool): readonly Act[] {
  const named = namedActs(tool);
  const told = (tool.capabilities ?? []).flatMap((one) => readNameActs(clauseWords(one)));
  return named.length + told.length > 0
    ? [...named, ...told]
    : readActs(clauseWords((tool.description ?? '').slice(0, 200)).slice(0, 12)).slice(0, 1);
}
