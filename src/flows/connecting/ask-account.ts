/** Asks a service whose account its credentials are for, which shows that they work. */
import type { Account, Connection, ToolkitAuth } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import { accountLabel } from '../../util/acting-account.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import type { AccountParts } from './account-parts.js';
import { type Binding, bind } from './binding.js';

const timeoutMs = 60_000;
const passing = new Set(['upstream_failed', 'timeout', 'rate_limited', 'egress_blocked', 'invalid_config']);

export interface AccountQuestion extends Pick<Binding, 'onBroken'> {
  readonly workspaceId: string;
  readonly toolkit: Toolkit;
  readonly auth: ToolkitAuth;
  readonly connection: Connection;
}

/**
 * Returns the account as the service describes it; undefined if the toolkit has no such question. Throws what the
 * service client throws, without secrets; `connection_inaccessible` if the service refuses the credentials.
 */
export async function askAccount(parts: AccountParts, question: AccountQuestion): Promise<Account | undefined> {
  const { workspaceId, toolkit, auth, connection, onBroken } = question;
  const { service, settings = {} } = toolkit;
  if (!auth.identify || !service) return undefined;
  const signal = AbortSignal.timeout(timeoutMs);
  const bound = bind(parts, {
    workspaceId,
    facts: connection,
    effectKey: newId(),
    signal: () => signal,
    ...defined({ onBroken }),
  });
  try {
    return bound.clean(await auth.identify(bound.connection.service(service, settings)));
  } catch (thrown) {
    const { code, message, hint, details } = bound.clean(toHelveError(thrown).toJSON());
    throw new HelveError(code, message, { ...defined({ hint, details }) });
  }
}

/** Whether the error says nothing about the credentials: the service could not be asked. */
export function isPassing({ code }: HelveError): boolean {
  return passing.has(code);
}

/** What the service said about the credentials. */
export function readReason({ details, message }: HelveError): string {
  return typeof details?.reason === 'string' ? details.reason : message;
}

/** Grants were given to one account: signing in again must not hand them to another. Throws `conflict`. */
export function refuseOtherAccount({ account: before, name }: Connection, now: Account | undefined): void {
  if (!before || !now || isSameAccount(before, now)) return;
  const [then, here] = [accountLabel(before), accountLabel(now)];
  throw new HelveError('conflict', `${name} is the account ${then}, but this is ${here}`, {
    hint: `Sign in as ${then}, or add another connection for ${here}.`,
  });
}

/** Of an account that signed in before environments were told apart, the present one is the first that is known. */
function isSameAccount(before: Account, now: Account): boolean {
  return before.id === now.id && (before.environment === undefined || before.environment === now.environment);
}
