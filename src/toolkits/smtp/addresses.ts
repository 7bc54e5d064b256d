/**
 * Who a mail goes to. An address has one reading here: a plain `local@domain` of ASCII, without display name, comment,
 * quotes, route or group. What mail programs are known to read in different ways is refused.
 */
import { HelveError } from '../../domain/errors.js';

/** No `%` or `!` (old relays route by them), no `|`, `/` or leading `-` (delivery programs run or open them), no quotes. */
const local = "[A-Za-z0-9_](?:[A-Za-z0-9_+'-]|\\.(?!\\.))*";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const plain = new RegExp(`^(${local})@((?:${label}\\.)*${label})$`);
const mostRecipients = 100;

export function plainAddress(text: string): { readonly text: string; readonly domain: string } | undefined {
  const [, mailbox = '', host = ''] = plain.exec(text) ?? [];
  if (mailbox === '' || mailbox.length > 64 || host.length > 253 || /[.+'-]$/.test(mailbox)) return undefined;
  // A last label of digits makes it an IP address.
  if (/(?:^|\.)\d+$/.test(host)) return undefined;
  const domain = host.toLowerCase();
  return { text: `${mailbox}@${domain}`, domain };
}

export interface Recipients {
  /** What the headers say. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: string | undefined;
  /** What the server is told: `to`, `cc` and `bcc`, each once. */
  readonly envelope: readonly string[];
}

type Given = string | readonly string[] | undefined;

/** All or none: one that is malformed refuses the mail, and is named. */
export function recipientsOf(fields: {
  readonly to: Given;
  readonly cc?: Given;
  readonly bcc?: Given;
  readonly reply_to?: string | undefined;
}): Recipients {
  const [to, cc, bcc] = [read('to', fields.to), read('cc', fields.cc), read('bcc', fields.bcc)];
  const [replyTo] = read('reply_to', fields.reply_to);
  const envelope = unique([...to, ...cc, ...bcc]);
  if (envelope.length > mostRecipients) {
    throw new HelveError('invalid_input', `The mail has ${envelope.length} recipients; at most ${mostRecipients} go`);
  }
  return { to, cc, replyTo, envelope };
}

function read(field: string, given: Given): string[] {
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  const addresses = texts.map((text, index) => {
    const address = plainAddress(text);
    if (address) return address.text;
    const place = typeof given === 'string' ? field : `${field}[${index}]`;
    throw new HelveError('invalid_input', `${place}: ${JSON.stringify(text.slice(0, 100))} is not a plain address`, {
      hint: 'Send each recipient alone as name@example.com: no display name, quotes or comments; several as an array.',
    });
  });
  return unique(addresses);
}

function unique(addresses: readonly string[]): string[] {
  const seen = new Set<string>();
  return addresses.filter((one) => !seen.has(one.toLowerCase()) && seen.add(one.toLowerCase()));
}
