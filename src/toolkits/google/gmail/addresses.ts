/** Reads addresses from headers and from callers, and tells which of them belong to the same mailbox. */
import type { Address } from '../../../util/mail/addresses.js';
import type { People } from '../../../util/mail/input.js';
import { parseAddressField, readNamedAddresses } from '../../../util/mail/named-addresses.js';
import { decodeWords } from '../../../util/mail/reading/index.js';

/** Reads the addresses that a caller gave, each mailbox once. */
export const readGivenAddresses = (field: string, people: People | undefined): Address[] =>
  uniqueAddresses(readNamedAddresses(field, people));

/** Reads a raw header field. Names are decoded only after the field is split, since they may hold commas. */
export function readHeaderAddresses(field: string): Address[] {
  return parseAddressField(field).map(({ name, address }) => ({
    name: decodeWords(name)
      .replace(/[\u0000-\u001f\u007f]|=\?/g, ' ')
      .trim(),
    address,
  }));
}

export const uniqueAddresses = (list: readonly Address[], taken: readonly Address[] = []): Address[] =>
  list.filter(
    (one, index) =>
      !taken.some((other) => isSame(one, other)) && !list.slice(0, index).some((other) => isSame(one, other)),
  );

export const isSame = (one: Address, other: Address): boolean => toMailbox(one.address) === toMailbox(other.address);

/** Google delivers `a.b+x@gmail.com` to the same mailbox as `ab@gmail.com`. */
function toMailbox(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${local}@${domain}`;
  return `${local.replace(/\+.*$/, '').replaceAll('.', '')}@gmail.com`;
}
