// What training must never see: the apps, tools and requests that discovery is measured with, stored only as hashes.
import { createHash } from 'node:crypto';
import { splitName, squash } from './words.js';

const mostAppWords = 4;
const known = new Map();

/** The first 16 hex characters of the SHA-256 of a text's letters and digits; empty for a text without any. */
export function hashOf(text) {
  const key = squash(text);
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const made = key === '' ? '' : createHash('sha256').update(key).digest('hex').slice(0, 16);
  if (known.size > 500_000) known.clear();
  known.set(key, made);
  return made;
}

/** The names of an API: its title, the labels of its domain and its services. */
function labelsOf({ api, title = '' }) {
  const [provider = '', ...services] = api.split('/');
  const labels = [provider, ...services].flatMap((part) => [part, ...part.split(/[.\-_:]/)]);
  return unique([...labels, ...labels.map((label) => label.replace(/(?:apis?|app)$/, '')), title]);
}

const unique = (names) => [...new Set(names.map(squash))].filter((name) => name !== '');

/**
 * Every way an API may be called: its labels, `google` + `drive` of `googleapis.com/drive`, and each run of up to four
 * words of its title.
 */
export function appNamesOf({ api, title = '' }) {
  const [provider = '', ...services] = api.split('/');
  const bases = labelsOf({ api: provider });
  const joined = bases.flatMap((base) => services.map((service) => base + service));
  const words = splitName(title);
  const runs = words.flatMap((_, from) =>
    Array.from({ length: mostAppWords }, (_, more) => words.slice(from, from + more + 1).join('')),
  );
  return unique([...labelsOf({ api, title }), ...joined, ...runs]);
}

/**
 * `list` is `{ apps, texts }`, hashes each. Words of an API's name are compared with apps only, so that a measured tool
 * called `search` does not take every API with that word along; whole names and texts are compared with everything.
 */
export function createKeptOut({ apps, texts }) {
  const appHashes = new Set(apps);
  const all = new Set([...apps, ...texts]);
  const verdicts = new Map();
  const judge = (about) => {
    const whole = [about.api, about.title ?? '', about.api.split('/').at(-1) ?? ''];
    const isKept =
      appNamesOf(about).some((name) => appHashes.has(hashOf(name))) || whole.some((name) => all.has(hashOf(name)));
    return { isKept, labels: labelsOf(about) };
  };
  const ofApi = (about) => {
    const key = `${about.api}\n${about.title ?? ''}`;
    if (!verdicts.has(key)) verdicts.set(key, judge(about));
    return verdicts.get(key);
  };
  /** Why a pair is kept out, `app` or `text`; undefined if it is not. */
  const ofPair = (pair) => {
    const { isKept, labels } = ofApi(pair);
    if (isKept) return 'app';
    if ([pair.name, pair.summary, pair.description].some((text) => text && all.has(hashOf(text)))) return 'text';
    return labels.some((label) => all.has(hashOf(label + pair.name))) ? 'text' : undefined;
  };
  return { hasApi: (about) => ofApi(about).isKept, ofPair };
}
