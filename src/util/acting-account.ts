/** Whose account a call acts with, in the words in which people read and decide. */
import type { Connection } from '../spec/connection.js';

/** What a person needs to know of a connection: which it is, whose account it is at the service, and who added it. */
export interface ActingAccount {
  readonly connectionId: string;
  readonly slug: string;
  readonly name: string;
  readonly visibility: Connection['visibility'];
  /** As the service tells it: an e-mail address, a name or an id. Absent where it does not say. */
  readonly account?: string;
  /** The user who added it, by name where there is one. */
  readonly owner: string;
}

export function accountLabel({ account }: Pick<Connection, 'account'>): string | undefined {
  return account?.email ?? account?.name ?? account?.id;
}

export function actingAccount(connection: Connection, ownerName: string | undefined): ActingAccount {
  const { id, slug, name, visibility, ownerId } = connection;
  const account = accountLabel(connection);
  return {
    connectionId: id,
    slug,
    name,
    visibility,
    ...(account === undefined ? {} : { account }),
    owner: ownerName ?? ownerId,
  };
}

/** One line: `gmail-work (ada@example.com, private, added by admin)`. */
export function accountLine({ slug, account, visibility, owner }: ActingAccount): string {
  return `${slug} (${account === undefined ? '' : `${account}, `}${visibility}, added by ${owner})`;
}

/** For a row of the record: the id alone says nothing to those who read it later. */
export function accountFacts(connection: Connection | undefined): { connection?: string; account?: string } {
  if (connection === undefined) return {};
  const account = accountLabel(connection);
  return { connection: connection.slug, ...(account === undefined ? {} : { account }) };
}
