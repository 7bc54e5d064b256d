/**
 * The two dotted forms: `github.createIssue` in code and `GitHub.createIssue` in the audit record.
 *
 * Each side of the dot is encoded separately, so that all tools of a toolkit share one object in code: `_x` becomes
 * `X`, `-` becomes `$`, `_1` stays; all of it can be decoded exactly. A word that JavaScript reserves, or that is a
 * property of every object (`then` would make a toolkit awaitable), gets a trailing `_`, which no natural word has.
 * In the audit form the title only capitalises letters of the toolkit: lower-casing gives the toolkit back, and a
 * toolkit that claims another's title cannot be mistaken for it in the record.
 */
import { fingerprint, looksFingerprinted, naturalLength, readable, type ToolId } from './tool-id.js';

const natural = /^(?:[a-z]|_[0-9])[a-z0-9]*(?:[_-][a-z0-9]+)*$/;

const reservedWords = words(`
  arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof undefined var void while with yield
  constructor prototype then toString toLocaleString toJSON valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable`);

const globalNames = words(`
  atob btoa clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  exports fetch global globalThis helve isFinite isNaN module navigator parseFloat parseInt performance process
  queueMicrotask require self setInterval setTimeout structuredClone unescape window`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Whether the rule decodes a part from its identifier without a fingerprint. */
export function isNaturalPart(part: string): boolean {
  return part.length <= naturalLength && natural.test(part) && !looksFingerprinted(part);
}

/** Whether the identifier cannot be the name of a global object: a reserved word, or a global that exists. */
export function isReservedInCode(identifier: string): boolean {
  return reservedWords.has(identifier) || globalNames.has(identifier);
}

function camelWords(text: string): string {
  return text.replace(/_([A-Za-z])/g, (_, letter: string) => letter.toUpperCase());
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * The toolkit with the capitals of its title (`one_drive` + `OneDrive` → `One_Drive`), if they are the same letters.
 */
function lendCapitals(toolkit: string, title: string | undefined): string | undefined {
  const letters = title?.slice(0, 2 * naturalLength).replace(/[^A-Za-z0-9]/g, '');
  if (letters === undefined || letters.toLowerCase() !== toolkit.replace(/[_-]/g, '')) return undefined;
  let next = 0;
  return toolkit.replace(/[a-z0-9]/g, (own) => letters[next++] ?? own);
}

/** The form used in code: `github.createIssue`. Always `identifier.identifier`, never a reserved word. */
export function toCodeName(id: ToolId): string {
  return `${toIdentifier(id.toolkit, 'toolkit')}.${toIdentifier(id.name, 'name')}`;
}

/**
 * The form in the audit record: `GitHub.createIssue`. `title` is the toolkit's display name; without one, or if its
 * letters differ from the toolkit's, the toolkit itself is capitalised.
 */
export function toAuditName(id: ToolId, title?: string): string {
  return `${toAuditToolkit(id.toolkit, title)}.${toIdentifier(id.name, 'name')}`;
}

/** The identifier of a toolkit or tool name in code; each side of the dot is one. */
export function toIdentifier(part: string, role: 'toolkit' | 'name'): string {
  if (!isNaturalPart(part)) return `${lowerFirst(camelWords(readable(part, role)))}_${fingerprint([role, part])}`;
  const identifier = camelWords(part).replaceAll('-', '$');
  const taken = role === 'toolkit' ? isReservedInCode(identifier) : reservedWords.has(identifier);
  return taken ? `${identifier}_` : identifier;
}

/** The tool name that an identifier decodes to by rule alone; undefined if there is none. */
export function nameOfIdentifier(identifier: string): string | undefined {
  const words = identifier.replaceAll('$', '-').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const name = words.replace(/_$/, '');
  return isNaturalPart(name) && toIdentifier(name, 'name') === identifier ? name : undefined;
}

/** The toolkit part of the audit form. */
export function toAuditToolkit(toolkit: string, title?: string): string {
  if (!isNaturalPart(toolkit))
    return `${capitalise(readable(toolkit, 'toolkit'))}_${fingerprint(['toolkit', toolkit])}`;
  if (toolkit.startsWith('_')) return toolkit;
  return capitalise(
    lendCapitals(toolkit, title) ?? toolkit.replace(/(?<=[_-])[a-z]/g, (letter) => letter.toUpperCase()),
  );
}

/** The toolkit part without the capitals of the title, for look-up; undefined if `toolkit` cannot be one. */
export function auditToolkitKey(toolkit: string): string | undefined {
  if (/^[A-Z]/.test(toolkit)) return toolkit.toLowerCase();
  return /^_[a-z0-9_-]*$/.test(toolkit) ? toolkit : undefined;
}
