/**
 * Reads e-mail addresses. Each text must be exactly one address; text that mail programs read in different ways is
 * refused.
 */
import { HelveError } from '../../domain/errors.js';
import type { People, Person } from './input.js';

/** No `%` or `!` (old relays route by them), no `|`, `/` or leading `-` (delivery programs run or open them), no quotes. */
const local = "[A-Za-z0-9_](?:[A-Za-z0-9_+'-]|\\.(?!\\.))*";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domain = `(?:${label}\\.)*${label}`;
const plainPattern = new RegExp(`^(${local})@(${domain})$`);

/** For configuration schemas: an address, or `*@domain` for every mailbox of exactly that domain. */
export const recipientPattern = new RegExp(`^(?:\\*|${local})@${domain}$`);
/** For settings: an address, or a name without special characters and the address in angle brackets. */
export const senderPattern = new RegExp(
  `^(?:[^<>"@,;:\\\\()\\[\\]\\u0000-\\u001f\\u007f]+ <${local}@${domain}>|${local}@${domain})$`,
);

export interface Address {
  /** Empty if there is none. */
  readonly name: string;
  readonly address: string;
}

export interface PlainAddress {
  readonly address: string;
  /** In lower case, here and in `address`. */
  readonly domain: string;
}

export interface Sender extends PlainAddress {
  readonly name: string;
}

/** Reads `local@domain` in ASCII, without display name, comment, quotes, route or group. */
export function parsePlainAddress(text: string): PlainAddress | undefined {
  const [, mailbox = '', host = ''] = plainPattern.exec(text) ?? [];
  if (mailbox === '' || mailbox.length > 64 || host.length > 253 || /[.+'-]$/.test(mailbox)) return undefined;
  // If the last label is digits, it is an IP address.
  if (/(?:^|\.)\d+$/.test(host)) return undefined;
  const lowerCase = host.toLowerCase();
  return { address: `${mailbox}@${lowerCase}`, domain: lowerCase };
}

/** Reads the operator's `from`: an address, or `Name <address>`. */
export function parseSender(text: string): Sender | undefined {
  if (!senderPattern.test(text)) return undefined;
  const [, name = '', bracketed] = /^([^<]*)<([^>]*)>$/.exec(text) ?? [];
  const plain = parsePlainAddress(bracketed ?? text);
  return plain && { name: name.trim(), ...plain };
}

export interface Recipients {
  /** The addresses for the headers. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: string | undefined;
  /** The recipients for the server: `to`, `cc` and `bcc`, each address once. */
  readonly envelope: readonly string[];
}

export interface RecipientFields {
  readonly to: People;
  readonly cc?: People | undefined;
  readonly bcc?: People | undefined;
  readonly reply_to?: string | undefined;
}

/**
 * Reads the recipients of a mail as plain addresses; names are not used. Throws `invalid_input` naming the one that is
 * wrong. `spell` says how an address is written, and may record that it is not allowed.
 */
export function readRecipients(
  fields: RecipientFields,
  spell = ({ address }: PlainAddress, _place: string): string => address,
): Recipients {
  const read = (field: keyof RecipientFields): string[] =>
    unique(readEach(field, fields[field], (person, place) => spell(requirePlain(person, place), place)));
  const [to, cc, bcc] = [read('to'), read('cc'), read('bcc')];
  const [replyTo] = read('reply_to');
  return { to, cc: cc.filter((address) => !has(to, address)), replyTo, envelope: unique([...to, ...cc, ...bcc]) };
}

function requirePlain(person: Person, place: string): PlainAddress {
  const text = typeof person === 'string' ? person : person.email;
  const plain = parsePlainAddress(text);
  if (plain) return plain;
  throw new HelveError('invalid_input', `${place}: ${quote(text)} is not a plain address`, {
    hint: 'Send each recipient alone as name@example.com: no display name, quotes or comments; several recipients as an array.',
  });
}

/** Calls `read` for each person with its place, such as `cc[1]`, for the error. */
export function readEach<Found>(
  field: string,
  people: People | undefined,
  read: (person: Person, place: string) => Found,
): Found[] {
  if (people === undefined) return [];
  if (!Array.isArray(people)) return [read(people, field)];
  return people.map((person, index) => read(person, `${field}[${index}]`));
}

/** For errors. */
export const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

const has = (list: readonly string[], address: string): boolean =>
  list.some((one) => one.toLowerCase() === address.toLowerCase());

const unique = (list: readonly string[]): string[] =>
  list.filter((address, index) => !has(list.slice(0, index), address));
