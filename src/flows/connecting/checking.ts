/** Asks now whether an account still works, instead of finding out at the next call. */
import type { AccountActs, ConnectionCheck } from '../../domain/accounts.js';
import type { Account, Connection } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { HostedAccounts } from '../../domain/provider.js';
import { defined } from '../../util/defined.js';
import { type AccountParts, requireAuth, takenAway } from './account-parts.js';
import { askAccount, isPassing, readReason, refuseOtherAccount } from './ask-account.js';
import { connectionDraft } from './drafts.js';
import { findHost } from './hosted.js';
import { findConnection } from './lifecycle.js';

interface Finding extends Pick<ConnectionCheck, 'outcome' | 'reason' | 'hint'> {
  /** What the account has turned out to be. Undefined: as before. */
  readonly status?: Connection['status'];
  readonly account?: Account | undefined;
}

const signInAgain = 'Connect the account again.';

export function createChecking(parts: AccountParts): Pick<AccountActs, 'checkConnection'> {
  return {
    async checkConnection(principal, idOrSlug) {
      const connection = await findConnection(parts, principal, idOrSlug);
      requireAccount(connection);
      const host = await findHost(parts, connection);
      const finding = host ? await askHost(host, connection) : await askService(parts, principal, connection);
      return settle(parts, { principal, connection, finding });
    },
  };
}

/** Throws `conflict` if there is no account whose credentials could be checked. */
function requireAccount({ name, status }: Connection): void {
  if (status === 'active' || status === 'expired' || status === 'error') return;
  const why = {
    added: 'waits for its account',
    pending: 'waits for a person who is signing in',
    revoked: 'was disconnected',
  };
  throw new HelveError('conflict', `${name} ${why[status]}`, { hint: 'Connect the account, then check it.' });
}

async function askService(parts: AccountParts, { workspaceId }: Principal, connection: Connection): Promise<Finding> {
  const { toolkit, auth } = await requireAuth(parts.registry, connection.toolkit);
  // Marked below with who asked, in the same row as the answer.
  let broken: 'expired' | 'error' | undefined;
  const onBroken = (status: 'expired' | 'error', reason: string): Promise<never> => {
    broken = status;
    return Promise.reject(new HelveError('connection_inaccessible', reason, { details: { reason } }));
  };
  try {
    const account = await askAccount(parts, { workspaceId, toolkit, auth, connection, onBroken });
    if (!auth.identify)
      return {
        outcome: 'unknown',
        reason: `${toolkit.title} offers no way to check an account`,
        hint: 'The next call will show whether it works.',
      };
    refuseOtherAccount(connection, account);
    return { outcome: 'works', status: 'active', account };
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (isPassing(error))
      return { outcome: 'unreachable', reason: error.message, hint: error.hint ?? 'Try again later.' };
    const status = error.code === 'conflict' ? 'error' : broken;
    const hint = error.code === 'connection_inaccessible' ? signInAgain : (error.hint ?? signInAgain);
    return { outcome: 'refused', reason: readReason(error), hint, ...defined({ status }) };
  }
}

async function askHost(host: HostedAccounts, connection: Connection): Promise<Finding> {
  try {
    const { status, reason = 'the provider says so', account } = await host.look(connection);
    if (status === 'active') return { outcome: 'works', status, account };
    if (status === 'pending')
      return { outcome: 'unknown', reason: 'its provider waits for a person who is signing in' };
    return { outcome: 'refused', status: status === 'revoked' ? 'error' : status, reason, hint: signInAgain };
  } catch (thrown) {
    const { message, hint = 'Try again later.' } = toHelveError(thrown);
    return { outcome: 'unreachable', reason: message, hint };
  }
}

interface Checked {
  readonly principal: Principal;
  /** As it was when the service was asked. */
  readonly connection: Connection;
  readonly finding: Finding;
}

/** Writes one row and, if the account is in another state than before, that state. */
async function settle(
  parts: AccountParts,
  { principal, connection: { id, connectedAt }, finding }: Checked,
): Promise<ConnectionCheck> {
  const { workspaceId } = principal;
  const { outcome, reason, hint, status, account } = finding;
  const { connections, revision } = await parts.configurations.getFresh(workspaceId);
  const before = connections.find((one) => one.id === id);
  if (before === undefined || before.status === 'revoked') throw takenAway();
  if (before.status === 'pending' || before.connectedAt !== connectedAt)
    throw new HelveError('conflict', 'The account was connected again meanwhile', { hint: 'Check it again.' });
  const { reason: _before, ...kept } = before;
  const now: Connection =
    status === undefined
      ? before
      : { ...kept, status, ...defined({ account: before.account ?? account }), ...(status !== 'active' && { reason }) };
  const type = now.status !== 'active' && before.status === 'active' ? 'connection.failed' : 'connection.checked';
  const at = parts.now();
  const row = connectionDraft(type, principal, now, at, { outcome, ...defined({ reason }) });
  if (now.status === before.status && now.reason === before.reason)
    await parts.storage.commit([{ workspaceId, events: [row] }]);
  else await parts.storage.workspace(workspaceId).change([row], (tables) => tables.updateConnection(now), revision);
  return { connection: now, outcome, checkedAt: at.toISOString(), ...defined({ reason, hint }) };
}
