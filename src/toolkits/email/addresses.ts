/**
 * Who a mail may go to. There is one reading of an address here and no second: a plain `local@domain` of ASCII, without
 * display name, comment, quotes, route or group. Everything that mail programs are known to read in different ways is
 * refused before it is compared, and what is handed to the server is the list that was compared.
 */
import { HelveError } from '../../domain/errors.js';

/** No `%` or `!` (old relays route by them), no `|`, `/` or leading `-` (delivery programs run or open them), no quotes. */
const local = "[A-Za-z0-9_](?:[A-Za-z0-9_+'-]|\\.(?!\\.))*";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domain = `(?:${label}\\.)*${label}`;
const plainAddress = new RegExp(`^(${local})@(${domain})$`);

/** For configuration schemas: an address, or `*@domain` for every mailbox of exactly that domain. */
export const recipientPattern = new RegExp(`^(?:\\*|${local})@${domain}$`);
/** For settings: an address, or a name without specials and the address in angle brackets. */
export const senderPattern = new RegExp(
  `^(?:[^<>"@,;:\\\\()\\[\\]\\u0000-\\u001f\\u007f]+ <${local}@${domain}>|${local}@${domain})$`,
);

interface Address {
  readonly local: string;
  /** In lower case. */
  readonly domain: string;
}

function parseAddress(text: string): Address | undefined {
  const [, mailbox = '', host = ''] = plainAddress.exec(text) ?? [];
  if (mailbox === '' || mailbox.length > 64 || host.length > 253 || /[.+'-]$/.test(mailbox)) return undefined;
  // A last label of digits makes it an IP address.
  if (/(?:^|\.)\d+$/.test(host)) return undefined;
  return { local: mailbox, domain: host.toLowerCase() };
}

export interface Sender {
  readonly name: string;
  readonly address: string;
  readonly domain: string;
}

export function parseSender(text: string): Sender | undefined {
  if (!senderPattern.test(text)) return undefined;
  const [, name = '', bracketed] = /^([^<]*)<([^>]*)>$/.exec(text) ?? [];
  const address = parseAddress(bracketed ?? text);
  return address && { name: name.trim(), address: spelt(address), domain: address.domain };
}

export interface Recipients {
  /** What the headers say. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: string | undefined;
  /** What the server is told: `to`, `cc` and `bcc`, each address once. */
  readonly envelope: readonly string[];
}

export interface RecipientFields {
  readonly to: string | readonly string[];
  readonly cc?: string | readonly string[] | undefined;
  readonly bcc?: string | readonly string[] | undefined;
  readonly reply_to?: string | undefined;
}

interface Limits {
  readonly allowed_recipients: readonly string[];
  readonly max_recipients: number;
}

/** All or none: one address that is malformed or not allowed refuses the mail, and is named. */
export function allowedRecipients(fields: RecipientFields, limits: Limits): Recipients {
  const allow = createAllowList(limits.allowed_recipients);
  const refused: string[] = [];
  const read = (field: string, value: string | readonly string[] = []): string[] => {
    const texts = typeof value === 'string' ? [value] : value;
    const found = texts.map((text, index) => {
      const place = typeof value === 'string' ? field : `${field}[${index}]`;
      const address = parseAddress(text);
      if (!address) throw malformed(place, text);
      const known = allow(address);
      if (known === undefined) refused.push(`${place} ${spelt(address)}`);
      return known ?? '';
    });
    return unique(found);
  };
  const [to, cc, bcc] = [read('to', fields.to), read('cc', fields.cc), read('bcc', fields.bcc)];
  // Where answers go is where what the mail says goes next.
  const [replyTo] = read('reply_to', fields.reply_to);
  if (refused.length > 0) throw notAllowed(refused, limits.allowed_recipients);
  const envelope = unique([...to, ...cc, ...bcc]);
  if (envelope.length > limits.max_recipients) {
    throw new HelveError(
      'forbidden',
      `The mail has ${envelope.length} recipients; at most ${limits.max_recipients} are allowed`,
    );
  }
  return { to, cc: cc.filter((address) => !has(to, address)), replyTo, envelope };
}

/** Gives an allowed address as the operator spelt it, since only he knows what his server takes the case of letters for. */
function createAllowList(patterns: readonly string[]): (address: Address) => string | undefined {
  const exact = new Map<string, string>();
  const domains = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.startsWith('*@')) domains.add(pattern.slice(2).toLowerCase());
    else exact.set(pattern.toLowerCase(), pattern);
  }
  return (address) =>
    exact.get(spelt(address).toLowerCase()) ?? (domains.has(address.domain) ? spelt(address) : undefined);
}

const spelt = ({ local: mailbox, domain: host }: Address): string => `${mailbox}@${host}`;

const has = (list: readonly string[], address: string): boolean =>
  list.some((one) => one.toLowerCase() === address.toLowerCase());

const unique = (list: readonly string[]): string[] =>
  list.filter((address, index) => !has(list.slice(0, index), address));

const malformed = (place: string, text: string): HelveError =>
  new HelveError('invalid_input', `${place}: ${JSON.stringify(text.slice(0, 100))} is not a plain address`, {
    hint: 'Send each recipient alone as name@example.com: no display name, quotes or comments; several recipients as an array.',
  });

function notAllowed(refused: readonly string[], allowed: readonly string[]): HelveError {
  const hint =
    allowed.length === 0
      ? 'No recipient is allowed. The operator lists them: allowed_recipients in the tool_config of send_email.'
      : `Allowed are ${allowed.slice(0, 20).join(', ')}${allowed.length > 20 ? ' and more' : ''}.`;
  const shown = `${refused.slice(0, 10).join(', ')}${refused.length > 10 ? ' and more' : ''}`;
  return new HelveError('forbidden', `Nothing was sent. Not allowed: ${shown}`, { hint });
}
