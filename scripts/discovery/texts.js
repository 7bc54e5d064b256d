// The words of a pair as rows of the vocabulary, and the two texts that one training step compares.
import { hashOf } from './kept-out.js';
import { splitName, splitProse, stem } from './words.js';

const mostProse = 40;
/** Words of requests, which documentation does not have. */
export const talkWords =
  `i me my mine we us our you your he him his she her it they them their this that these those what
which who whom whose where when why how am is are was were be been being do does did doing done have has had having can
could will would shall should may might must want wants wanted need needs needed like wish hope please kindly help helps
thanks thank hi hello hey okay ok yes no not just also too very really so and or but if then than because as of at by for
with about into through during before after to from up down in out on off over under again here there all any both each
more most other some such only own same let lets tell know think see look going trying try able give show find could
interested curious considering planning decided looking asked ask asking question wondering currently recently soon now
today tomorrow yesterday`.split(/\s+/);
const isWord = (word) => /^[a-z][a-z0-9]{1,29}$/.test(word);

/** The words of a pair by kind, only those that may have a vector. */
export function wordsOf({ name, summary, description, parameters, path = '', method = '' }) {
  const pick = (words) => words.filter(isWord);
  const [firstSentence = ''] = description.split(/(?<=[.!?])\s/);
  return {
    name: pick(splitName(name)),
    path: pick([method, ...splitName(path.replace(/\{[^}]*\}/g, ' '))]),
    summary: pick(splitProse(summary || firstSentence)).slice(0, mostProse),
    description: pick(splitProse(description)).slice(0, mostProse),
    parameters: pick(parameters.flatMap(splitName)).slice(0, mostProse),
  };
}

/** One in twenty providers is left out of training, to measure how well unknown ones are understood. */
export const isForValidation = ({ api }) =>
  Number.parseInt(hashOf(`validation ${api.split('/')[0]}`).slice(0, 6), 16) % 20 === 0;

/** Rows of the words that the vocabulary has; `stems` say which rows are forms of one word. */
export function createReader(rowOf) {
  const rows = (words) => words.flatMap((word) => rowOf.get(word) ?? []);
  return (pair) => {
    const words = wordsOf(pair);
    return {
      api: pair.api,
      name: rows(words.name),
      path: rows(words.path),
      summary: rows(words.summary),
      description: rows(words.description),
      parameters: rows(words.parameters),
    };
  };
}

/** For each row the number of its stem. */
export function stemsOf(words) {
  const numbers = new Map();
  return Int32Array.from(words, (word) => {
    const key = stem(word);
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  });
}

/**
 * Makes a request and a tool's text from one pair. Words that both have are removed from the request half of the time: a
 * search by words finds them anyway, and training should learn which other words mean the same.
 */
export function createViews({ stems, talk, others }, random) {
  const draw = (list) => {
    const at = Math.floor(random() * list.length);
    return list.slice(at, at + 1);
  };
  /** People say more than the documentation: words of requests, and words about their own affairs. */
  const spoken = (rows) => {
    if (random() < 0.5) return rows;
    const said = [...rows];
    for (let left = Math.floor(random() * 8); left > 0; left--) said.push(...draw(talk));
    for (let left = Math.floor(random() * 4); left > 0; left--) said.push(...draw(others));
    return said;
  };
  const withoutShared = (rows, others, share) => {
    const shared = new Set(others.map((row) => stems[row]));
    const kept = rows.filter((row) => !shared.has(stems[row]) || random() >= share);
    return kept.length > 0 ? kept : rows;
  };
  const requestOf = (text) => {
    const isSummary = text.summary.length > 1 && (text.description.length < 3 || random() < 0.75);
    return isSummary ? text.summary : text.description;
  };
  const toolOf = (text, request) => {
    const pick = random();
    const base = text.path.length > 1 && pick < 0.25 ? text.path : text.name;
    if (pick > 0.85 && text.parameters.length > 0) return [...base, ...text.parameters];
    if (pick > 0.4 && request !== text.description && text.description.length > 2)
      return [...base, ...text.description];
    return base;
  };
  return (text) => {
    const request = requestOf(text);
    const tool = toolOf(text, request);
    return [spoken(withoutShared(request, tool, random() < 0.5 ? 0.6 : 0)), tool];
  };
}
