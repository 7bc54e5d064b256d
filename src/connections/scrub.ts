/**
 * A service's answer may repeat what it was sent: an echo of a header, an address with a token in it. Every common
 * written form of a secret is removed before anyone sees the answer.
 */

/** Shorter values would match innocent text; a real secret is longer. */
const minLength = 6;
export const scrubbed = '[credential removed]';

export type Scrub = (text: string) => string;

export function createScrub(secrets: readonly string[]): Scrub {
  const whole = [...new Set(secrets.flatMap(splitParts))].filter((secret) => secret.length >= minLength);
  const needles = [...new Set(whole.flatMap(writtenForms))]
    .filter((form) => form.length >= minLength)
    .sort((a, b) => b.length - a.length);
  const broken = [...new Set(whole.flatMap(brokenForms))].filter((form) => form.length >= minSpaced);
  return (text) => {
    let clean = text;
    for (const needle of needles) if (clean.includes(needle)) clean = clean.replaceAll(needle, scrubbed);
    return withoutBroken(clean, broken);
  };
}

/**
 * Scrubs the answers of one call: it learns each secret that the call sends. Computing the forms of a key takes
 * milliseconds, so it is done once.
 */
export interface CallScrub {
  see(secrets: readonly string[]): void;
  readonly text: Scrub;
  /** Scrubs every text in a value; returns the value itself if no secret was sent. */
  value<T>(value: T): T;
}

/** Creates a scrub that knows no secrets yet. */
export function createCallScrub(): CallScrub {
  const seen = new Set<string>();
  let scrub: Scrub | undefined;
  const text: Scrub = (given) => {
    scrub ??= createScrub([...seen]);
    return scrub(given);
  };
  return {
    see(secrets) {
      const before = seen.size;
      for (const secret of secrets) seen.add(secret);
      if (seen.size > before) scrub = undefined;
    },
    text,
    value: (value) => (seen.size === 0 ? value : scrubValue(value, text)),
  };
}

/**
 * For long texts that are not a call's answer, such as a catalogue's listing: finds secrets only in their original
 * form.
 */
export function createPlainScrub(): CallScrub {
  const seen = new Set<string>();
  const text: Scrub = (given) => {
    let clean = given;
    for (const secret of seen) if (clean.includes(secret)) clean = clean.replaceAll(secret, scrubbed);
    return clean;
  };
  return {
    see: (secrets) => secrets.forEach((secret) => void seen.add(secret)),
    text,
    value: (value) => (seen.size === 0 ? value : scrubValue(value, text)),
  };
}

/** Scrubs every text in a value, names included; returns the value itself if it contained no secret. */
export function scrubValue<T>(value: T, scrub: Scrub): T {
  if (typeof value === 'string') return scrub(value) as T;
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, scrub)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [scrub(name), scrubValue(member, scrub)]);
  return Object.fromEntries(entries) as T;
}

/**
 * A secret, and its parts that are secret on their own: the members of a key in JSON, the body of a key in PEM. A
 * service that has read it may repeat any of them.
 */
function splitParts(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= minLine && !line.startsWith('-----'));
  const body = lines.length > 1 ? [...lines, lines.join('')] : [];
  return [secret, secret.trim(), ...body, ...listMembers(secret).flatMap(splitParts)];
}

const minLine = 16;
const secretMember = /key|secret|token|password|assertion/i;

function listMembers(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [];
  try {
    const members = Object.entries(JSON.parse(secret) as Record<string, unknown>);
    return members.flatMap(([name, value]) => (typeof value === 'string' && secretMember.test(name) ? [value] : []));
  } catch {
    return [];
  }
}

/** When wrapped or spaced out, only long secrets can be distinguished from innocent text. */
const minSpaced = 12;

/** The forms to search for when lines were wrapped or letters spaced out. */
function brokenForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = base64Forms(bytes);
  return [secret, ...base64, bytes.toString('hex'), bytes.toString('hex').toUpperCase()].map((form) =>
    form.replace(blanks, ''),
  );
}

/** White space, and line ends as JSON writes them. */
const blanks = /(?:\s|\\[rnt])+/g;

function withoutBroken(text: string, forms: readonly string[]): string {
  const joined = text.replace(blanks, '');
  if (joined.length === text.length) return text;
  let clean = text;
  for (const form of forms) {
    if (!joined.includes(form)) continue;
    const letters = [...form].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    clean = clean.replace(new RegExp(letters.join(blanks.source.replace('+', '*')), 'g'), scrubbed);
  }
  return clean;
}

/** The secret itself, and as programs encode it. */
function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const units = [...secret].map((char) => char.codePointAt(0) ?? 0);
  return [
    secret,
    [...secret].reverse().join(''),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    json.replace(/[<>&']/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...percentForms(secret),
    percent,
    percent.toUpperCase(),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
    ...base64Forms(Buffer.from(hex)),
    units.map((unit) => `&#${unit};`).join(''),
    units.map((unit) => `&#x${unit.toString(16)};`).join(''),
    units.map((unit) => `&#x${unit.toString(16).toUpperCase()};`).join(''),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''),
    units.map((unit) => `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`).join(''),
    units.map((unit) => `\\x${unit.toString(16).padStart(2, '0')}`).join(''),
    htmlEscaped(secret),
    rot13(secret),
  ];
}

/** Percent-encoded, once and twice; some programs write lower-case digits. */
function percentForms(secret: string): string[] {
  const once = [
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    encodeURI(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
  const forms = [...once, ...once.map(encodeURIComponent)];
  return [...forms, ...forms.map((form) => form.replace(/%(?:25)?[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/**
 * Base64 of the secret at any position in a longer text: three alignments, without the letters shared with its
 * neighbours.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = before === 0 ? 0 : before + 1;
    const last = (before + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return [text.slice(first, last)];
  });
  const whole = bytes.toString('base64');
  return [whole, ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')]);
}

function htmlEscaped(secret: string): string {
  return secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function rot13(secret: string): string {
  return secret.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
