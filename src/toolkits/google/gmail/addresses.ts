/** Addresses that a caller gives, and those that headers hold. */
import addressparser from 'nodemailer/lib/addressparser';
import { HelveError } from '../../../domain/errors.js';
import { type People, readPeople } from '../../../util/mail-input.js';
import { decodeWords } from './headers.js';

export interface Address {
  readonly name: string;
  readonly address: string;
}

/** One `@`, nothing that a header or a mail server would read as more than one address. Letters of all scripts. */
const plainAddress = /^[^\s@<>(),;:\\"[\]\u0000-\u001f\u007f]{1,64}@[^\s@<>(),;:\\"[\]\u0000-\u001f\u007f]{1,253}$/u;

/** Throws `invalid_input` naming the one that is wrong. Each address once. */
export function givenAddresses(field: string, people: People | undefined): Address[] {
  const given = readPeople(people, true);
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  const found = texts.flatMap((text, index) => {
    const place = typeof given === 'string' ? field : `${field}[${index}]`;
    const wrong = (): HelveError =>
      new HelveError('invalid_input', `${place}: ${JSON.stringify(text.slice(0, 100))} is not an e-mail address`, {
        hint: 'Write name@example.com or Name <name@example.com>; several as an array.',
      });
    // `=?` in a name would arrive as something else than it says.
    if (/[\u0000-\u001f\u007f\u2028\u2029]|=\?/.test(text)) throw wrong();
    const parsed = addressparser(text);
    if (parsed.length === 0) throw wrong();
    return parsed.map((one): Address => {
      if (one.group !== undefined || !plainAddress.test(one.address)) throw wrong();
      return { name: one.name, address: one.address };
    });
  });
  return uniqueAddresses(found);
}

/** Of a raw header field; what cannot be read as an address is left out. Names are decoded only after the parting. */
export function headerAddresses(field: string): Address[] {
  return addressparser(field, { flatten: true })
    .map(({ name, address }) => ({
      name: decodeWords(name)
        .replace(/[\u0000-\u001f\u007f]|=\?/g, ' ')
        .trim(),
      address,
    }))
    .filter(({ address }) => plainAddress.test(address));
}

export const uniqueAddresses = (list: readonly Address[], taken: readonly Address[] = []): Address[] =>
  list.filter(
    (one, index) =>
      !taken.some((other) => isSame(one, other)) && !list.slice(0, index).some((other) => isSame(one, other)),
  );

export const isSame = (one: Address, other: Address): boolean => mailboxOf(one.address) === mailboxOf(other.address);

/** Google delivers `a.b+x@gmail.com` where it delivers `ab@gmail.com`. */
function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${local}@${domain}`;
  return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@gmail.com`;
}
