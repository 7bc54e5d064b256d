/** Describes the account that a call acts with, for people to read and decide on. */
import type { ActingAccount, Connection } from '../domain/connection.js';
import { defined } from './defined.js';

function accountLabel({ account }: Pick<Connection, 'account'>): string | undefined {
  return account?.email ?? account?.name ?? account?.id;
}

/** Returns what people see of a connection; `ownerName`: the name of the user or key that added it, if known. */
export function actingAccount(connection: Connection, ownerName: string | undefined): ActingAccount {
  const { id, slug, name, visibility, ownerId } = connection;
  const account = accountLabel(connection);
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
  const account = accountLabel(connection);
  return { connection: connection.slug, ...defined({ account }) };
}
