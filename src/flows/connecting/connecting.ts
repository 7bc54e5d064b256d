/**
 * Connects with the fields that a person filled in, and activates connections: the service is asked whose account it
 * is.
 */
import { type CredentialContent, heldContent } from '../../connections/index.js';
import type { Account, AuthScheme, Connection, CredentialField, ToolkitAuth } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { ConfigurationTables } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import { defined } from '../../util/defined.js';
import { firstMatch } from '../../util/pattern-match.js';
import { type AccountParts, secretSubject, takenAway } from './account-parts.js';
import { askAccount, isPassing, readReason, refuseOtherAccount } from './ask-account.js';
import { lockParts, sealContent } from './credentials.js';
import { connectionDraft } from './drafts.js';
import { changeStored, pickDecided } from './store.js';

/** The fields of an OAuth connection that was signed in elsewhere. */
const importedFields: readonly CredentialField[] = [
  { name: 'access_token', title: 'Access token', secret: true },
  { name: 'refresh_token', title: 'Refresh token', secret: true, optional: true },
  { name: 'expires_at', title: 'Ends at (ISO 8601)', secret: false, optional: true },
  { name: 'scope', title: 'Granted scopes', secret: false, optional: true },
];

const maxCharacters = 20_000;

export interface FilledIn {
  readonly content: CredentialContent;
  readonly settings: JsonObject;
  readonly scopes?: readonly string[];
}

/** Throws `invalid_input`, naming the field but never its value. */
export async function readCredentials(
  workers: Workers,
  scheme: AuthScheme,
  given: Readonly<Record<string, string>>,
): Promise<FilledIn> {
  const fields = scheme.kind === 'oauth2' ? importedFields : (scheme.fields ?? []);
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw badField(unknown, 'is not a field of this sign-in method', fields);
  for (const field of fields) await checkField(workers, field, { value: given[field.name], all: fields });
  if (scheme.kind === 'oauth2') return importedTokens(given);
  const pick = (secret: boolean): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap(({ name, secret: is }) => (is === secret && given[name] ? [[name, given[name]]] : [])),
    );
  return { content: { fields: pick(true) }, settings: pick(false) };
}

async function checkField(
  workers: Workers,
  field: CredentialField,
  { value, all }: { readonly value: unknown; readonly all: readonly CredentialField[] },
): Promise<void> {
  if (value === undefined || value === '') {
    if (!field.optional) throw badField(field.name, 'is missing', all);
    return;
  }
  if (typeof value !== 'string' || value.length > maxCharacters)
    throw badField(field.name, `is not a text of at most ${maxCharacters} characters`, all);
  if (field.pattern === undefined) return;
  const answer = await firstMatch(workers, { patterns: [`^(?:${field.pattern})$`], text: value });
  if (answer) return;
  const { title, description, pattern } = field;
  const what = description === undefined ? title : `${title}: ${description.replace(/\.$/, '')}`;
  throw new HelveError('invalid_input', `credentials/${field.name}: does not have the form of this field`, {
    hint: `${what}. The whole text must match ${pattern}.`,
  });
}

function badField(name: string, problem: string, fields: readonly CredentialField[]): HelveError {
  const wanted = fields.map((field) => `${field.name}${field.optional ? ' (optional)' : ''}`).join(', ');
  return new HelveError('invalid_input', `credentials/${name.slice(0, 100)}: ${problem}`, {
    hint: `Fields: ${wanted || 'none'}.`,
  });
}

function importedTokens(given: Readonly<Record<string, string>>): FilledIn {
  const { access_token: accessToken = '', refresh_token: refreshToken, expires_at, scope } = given;
  if (expires_at !== undefined && Number.isNaN(Date.parse(expires_at)))
    throw badField('expires_at', 'is not a time', importedFields);
  return {
    content: {
      fields: {},
      tokens: {
        accessToken,
        ...defined({ refreshToken }),
        ...(expires_at === undefined ? {} : { renewAt: new Date(expires_at).toISOString() }),
      },
    },
    settings: {},
    ...(scope === undefined ? {} : { scopes: scope.split(/[\s,]+/).filter(Boolean) }),
  };
}

export interface Activation extends FilledIn {
  readonly workspaceId: string;
  readonly by: Principal;
  readonly connection: Connection;
  readonly toolkit: Toolkit;
  readonly auth: ToolkitAuth;
  readonly check: boolean;
  /** Scopes that the provider granted without being asked. */
  readonly wider?: readonly string[];
}

/**
 * Stores and checks the credentials and activates the connection; if the service refuses them, the previous state is
 * restored.
 */
export async function activate(parts: AccountParts, activation: Activation): Promise<Connection> {
  const { workspaceId, by, connection: before, content, settings, auth } = activation;
  const place = { workspaceId, id: before.id };
  const subject = secretSubject(before);
  const at = parts.now().toISOString();
  const { reason: _reason, scopes: _scopes, ...kept } = before;
  const scopes = activation.scopes === undefined ? {} : { scopes: withImplied(activation.scopes, auth) };
  const sealed = await sealContent(parts, workspaceId, before, content);
  // A renewal that ended later would be lost, and what is restored below would be a token that it has used up.
  const held = await heldContent(lockParts(parts, workspaceId, before));
  const { connection: trying } = await changeStored(parts, place, (present) => {
    if (!present || (before.status !== 'revoked' && present.status === 'revoked')) throw takenAway();
    const tried = { ...scopes, settings, status: 'pending', connectedAt: at } as const;
    const connection: Connection = { ...kept, ...pickDecided(present), ...tried };
    const row = connectionDraft('connection.started', by, connection, parts.now());
    return { connection, row, also: (tables) => tables.putSecret(subject, sealed, at) };
  }).catch(async (thrown: unknown) => {
    await held?.release();
    throw thrown;
  });
  try {
    // Always checked if the account is known: otherwise another account could take over its grants by skipping the
    // check.
    const asked = activation.check || before.account !== undefined;
    const account = asked ? await identify(parts, activation, trying) : undefined;
    refuseOtherAccount(before, account);
    const known = account ?? before.account;
    const { wider = [] } = activation;
    const more: JsonObject = wider.length === 0 ? {} : { widerScopes: [...wider] };
    const { connection: active } = await changeStored(parts, place, (present) => {
      if (present?.status === 'pending' && present.connectedAt !== at) throw replaced();
      if (present?.status !== 'pending') throw takenAway();
      const connection: Connection = {
        ...trying,
        ...pickDecided(present),
        status: 'active',
        ...defined({ account: known }),
      };
      return { connection, row: connectionDraft('connection.connected', by, connection, parts.now(), more) };
    });
    return active;
  } catch (thrown) {
    const error = toHelveError(thrown);
    const former: Connection =
      before.status === 'active' ? before : { ...kept, status: 'error', reason: error.message };
    await changeStored(parts, place, (present) => {
      // A disconnect or another sign-in in between takes precedence: nothing is restored.
      if (present?.status !== 'pending' || present.connectedAt !== at) return undefined;
      const connection: Connection = { ...former, ...pickDecided(present) };
      const row = connectionDraft('connection.failed', by, connection, parts.now(), { reason: error.message });
      const also = (tables: ConfigurationTables): Promise<void> =>
        held ? tables.putSecret(subject, held.stored, at) : tables.deleteSecret(subject);
      return { connection, row, also };
    });
    throw error;
  }
}

/** Its credentials are another's now, so what was found out about these says nothing about them. */
const replaced = (): HelveError =>
  new HelveError('conflict', 'Somebody else has begun to connect this account meanwhile', {
    hint: 'Check whose account it is before you start again.',
  });

async function identify(
  parts: AccountParts,
  { workspaceId, toolkit, auth }: Activation,
  connection: Connection,
): Promise<Account | undefined> {
  try {
    return await askAccount(parts, { workspaceId, toolkit, auth, connection });
  } catch (thrown) {
    const error = toHelveError(thrown);
    throw new HelveError(
      isPassing(error) ? error.code : 'invalid_input',
      `${toolkit.title} does not take the credentials: ${readReason(error)}`,
      { hint: isPassing(error) ? 'Try again, or check the address of the service.' : 'Check them and try again.' },
    );
  }
}

function withImplied(scopes: readonly string[], { impliedScopes = {} }: ToolkitAuth): readonly string[] {
  const implied = scopes.flatMap((scope) => (Object.hasOwn(impliedScopes, scope) ? (impliedScopes[scope] ?? []) : []));
  return [...new Set([...scopes, ...implied])];
}
