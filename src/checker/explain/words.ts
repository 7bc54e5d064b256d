/** The words that the explanations share: names that were meant, members that there are, types in short. */
import { nearest, orDidYouMean } from '../../util/nearest.js';
import type { Type } from '../engine.js';
import type { Look } from '../rules/look.js';

/** The name that was most likely meant, two letters in the wrong order included. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  return nearest(word, names) ?? names.find((one) => isSwapped(word, one));
}

function isSwapped(word: string, name: string): boolean {
  const at = [...word].findIndex((letter, index) => letter !== name[index]);
  if (at === -1 || word.length !== name.length) return false;
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === name;
}

/** The nearest name; where none is near, the names that there are. */
export function rightName(name: string, names: readonly string[]): string {
  const near =
    nearestName(name, names) ?? names.find((one) => one.length > 3 && name.length > 3 && contains(one, name));
  if (near !== undefined) return orDidYouMean(near);
  if (names.length === 0) return '';
  const max = 12;
  return `; it has ${names.slice(0, max).join(', ')}${names.length > max ? ', …' : ''}`;
}

function contains(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.endsWith(b) || b.endsWith(a) || a.startsWith(b) || b.startsWith(a);
}

export function memberNames({ inspection: { types } }: Look, type: Type | undefined): readonly string[] {
  if (!type) return [];
  return types.getPropertiesOfType(types.getNonNullableType(type) ?? type).map(({ name }) => name);
}

/** A type in short: without `undefined` where that only says that it may be left out. */
export function shortType(text: string): string {
  const line = sortChoices(text)
    .replace(/\s+/g, ' ')
    .replace(/ \| undefined$/, '')
    .replace(/^undefined \| /, '')
    .replace(/; \}/g, ' }');
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}

/** The compilers print a union in orders of their own. */
function sortChoices(text: string): string {
  return text.replace(/(?:"[^"]*"|undefined)(?: \| (?:"[^"]*"|undefined))+/g, (choices) =>
    choices.split(' | ').sort(byUndefinedLast).join(' | '),
  );
}

function byUndefinedLast(one: string, other: string): number {
  if (one === 'undefined' || other === 'undefined') return one === other ? 0 : one === 'undefined' ? 1 : -1;
  return one < other ? -1 : 1;
}
