/** Reads e-mail addresses with display names, and addresses in all scripts: for services that deliver to those. */
import addressparser from 'nodemailer/lib/addressparser';
import { HelveError } from '../../domain/errors.js';
import { type Address, quote, readEach } from './addresses.js';
import type { People, Person } from './input.js';

/** One `@`, and nothing that a header or a mail server would read as more than one address. */
const pattern = /^[^\s@<>(),;:\\"[\]\u0000-\u001f\u007f]{1,64}@[^\s@<>(),;:\\"[\]\u0000-\u001f\u007f]{1,253}$/u;

/** Throws `invalid_input` naming the one that is wrong. */
export function readNamedAddresses(field: string, people: People | undefined): Address[] {
  return readEach(field, people, (person, place) => {
    const text = typeof person === 'string' ? person : `${person.name ?? ''} <${person.email}>`;
    // `=?` could be decoded into something else on arrival.
    const found = /[\u0000-\u001f\u007f\u2028\u2029]|=\?/.test(text) ? undefined : readPerson(person);
    if (found) return found;
    throw new HelveError('invalid_input', `${place}: ${quote(text)} is not an e-mail address`, {
      hint: 'Write name@example.com or Name <name@example.com>; several as an array.',
    });
  });
}

function readPerson(person: Person): Address | undefined {
  const [first, ...more] =
    typeof person === 'string' ? addressparser(person) : [{ name: person.name ?? '', address: person.email }];
  const { name = '', address = '' } = first ?? {};
  return more.length === 0 && pattern.test(address) ? { name, address } : undefined;
}

/** Reads a header field that somebody else wrote. What is not an address is left out; names are not decoded. */
export function parseAddressField(field: string): Address[] {
  return addressparser(field, { flatten: true }).filter(({ address }) => pattern.test(address));
}
