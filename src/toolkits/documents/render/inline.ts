/**
 * Parses the small part of Markdown that texts may use. Models write it without being told to. Incomplete markup stays
 * as it is, so that `2 * 3`, `snake_case` and `a[0](x)` come out as written. Takes linear time: a marker without an end
 * is looked for only once.
 */

import { parseUrl } from '../../../util/parse-url.js';
import type { Run } from './model.js';
import { refuse } from './refuse.js';

type Style = 'bold' | 'italic' | 'strike';
const markers: readonly (readonly [string, Style])[] = [
  ['**', 'bold'],
  ['~~', 'strike'],
  ['*', 'italic'],
];
const link = /\[((?:[^[\]\n\\]|\\.){1,500})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,5})\)/y;
const escapable = /[\\*`~[\]()_#|>-]/;

export function parseInline(text: string, place: string): Run[] {
  const runs: Run[] = [];
  scan(text, {}, place, runs);
  return merge(runs);
}

export function plainText(runs: readonly Run[]): string {
  return runs.map((run) => run.text).join('');
}

function scan(text: string, style: Omit<Run, 'text'>, place: string, runs: Run[]): void {
  const hopeless = new Set<string>();
  let plain = '';
  const flush = (): void => {
    if (plain) runs.push({ ...style, text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    if (character === '\\' && escapable.test(text.charAt(at + 1))) {
      plain += text.charAt(at + 1);
      at += 2;
      continue;
    }
    const found = codeAt(text, at, hopeless) ?? linkAt(text, at, style, place) ?? styleAt(text, at, style, hopeless);
    if (!found) {
      plain += character;
      at += 1;
      continue;
    }
    flush();
    if (found.style.code) runs.push({ ...style, ...found.style, text: found.inner });
    else scan(found.inner, { ...style, ...found.style }, place, runs);
    at = found.end;
  }
  flush();
}

interface Found {
  readonly inner: string;
  readonly style: Omit<Run, 'text'>;
  readonly end: number;
}

function codeAt(text: string, at: number, hopeless: Set<string>): Found | undefined {
  if (text[at] !== '`' || hopeless.has('`')) return undefined;
  const end = text.indexOf('`', at + 1);
  if (end < 0) hopeless.add('`');
  return end > at + 1 ? { inner: text.slice(at + 1, end), style: { code: true }, end: end + 1 } : undefined;
}

function linkAt(text: string, at: number, style: Omit<Run, 'text'>, place: string): Found | undefined {
  if (text[at] !== '[' || style.link) return undefined;
  link.lastIndex = at;
  const [whole, inner = '', address = ''] = link.exec(text) ?? [];
  if (whole === undefined || !/^[a-z][a-z0-9+.-]*:/i.test(address)) return undefined;
  return { inner, style: { link: checkedLink(address, place) }, end: at + whole.length };
}

function checkedLink(address: string, place: string): string {
  const url = parseUrl(address);
  if (url && /^(https?|mailto):$/.test(url.protocol)) return url.href;
  return refuse(
    `${place} links to ${address.slice(0, 100)}, which is not a web or mail address`,
    'Link only to addresses that begin with http://, https:// or mailto:.',
  );
}

function styleAt(text: string, at: number, style: Omit<Run, 'text'>, hopeless: Set<string>): Found | undefined {
  const [marker, name] = markers.find(([start]) => text.startsWith(start, at)) ?? [];
  if (marker === undefined || name === undefined || style[name] || hopeless.has(marker)) return undefined;
  const from = at + marker.length;
  if (!/\S/.test(text.charAt(from))) return undefined;
  const end = findEnd(text, marker, from);
  if (end >= 0) return { inner: text.slice(from, end), style: { [name]: true }, end: end + marker.length };
  hopeless.add(marker);
  return undefined;
}

/** Finds the first marker that closes, which is one that does not follow a space. */
function findEnd(text: string, marker: string, from: number): number {
  for (let end = text.indexOf(marker, from); end >= 0; end = text.indexOf(marker, end + marker.length)) {
    if (marker === '*' && text[end + 1] === '*') {
      end += 1;
      continue;
    }
    // Of three stars, the last two close the bold text, and the first one closes the italic text inside it.
    const last = marker === '**' && text[end + 2] === '*' ? end + 1 : end;
    if (last > from && /\S/.test(text.charAt(last - 1)) && text[last - 1] !== '\\') return last;
  }
  return -1;
}

function merge(runs: readonly Run[]): Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    const same = last && (['bold', 'italic', 'code', 'strike', 'link'] as const).every((key) => last[key] === run[key]);
    if (same) merged[merged.length - 1] = { ...last, text: last.text + run.text };
    else merged.push(run);
  }
  return merged;
}
