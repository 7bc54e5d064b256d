/** Asks a service whose account its credentials are for, which shows that they work. */
import type { Account, Connection, ToolkitAuth } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
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
  if (!before || !now || before.id === now.id) return;
  const who = (account: Account): string => account.email ?? account.name ?? account.id;
  throw new HelveError('conflict', `${name} is the account ${who(before)}, but this is ${who(now)}`, {
    hint: `Sign in as ${who(before)}, or add another connection for ${who(now)}.`,
  });
}
