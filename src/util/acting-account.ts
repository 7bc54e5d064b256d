/** Describes the account that a call acts with, for people to read and decide on. */
import type { Account, ActingAccount, Connection } from '../domain/connection.js';
import { defined } from './defined.js';

/** What people know the account by: `ada@example.com`, `ada@example.com (test)`. */
export function accountLabel({ id, name, email, environment }: Account): string {
  const label = email ?? name ?? id;
  return environment === undefined ? label : `${label} (${environment})`;
}

/** Returns what people see of a connection; `ownerName`: the name of the user or key that added it, if known. */
export function actingAccount(connection: Connection, ownerName: string | undefined): ActingAccount {
  const { id, slug, name, visibility, ownerId } = connection;
  const account = connection.account && accountLabel(connection.account);
  return {
    connectionId: id,
    slug,
    name,
    visibility,
    ...defined({ account }),
    owner: ownerName ?? ownerId,
  };
}

/** One line: `gmail-work (ada@example.com, private, added by admin)`. */
export function accountLine({ slug, account, visibility, owner }: ActingAccount): string {
  return `${slug} (${account === undefined ? '' : `${account}, `}${visibility}, added by ${owner})`;
}

/** For an audit row: the id alone means nothing to a later reader. */
export function accountFacts(connection: Connection | undefined): { connection?: string; account?: string } {
  if (connection === undefined) return {};
  const account = connection.account && accountLabel(connection.account);
  return { connection: connection.slug, ...defined({ account }) };
}
