/**
 * Who a proved identity is in a workspace, and with which role. A person is known by issuer and subject. An e-mail address
 * alone lets in only somebody whom an admin has invited under it, once.
 */
import { HelveError } from '../../domain/errors.js';
import type { Identity, IdentityProvider } from '../../domain/identity.js';
import type { Principal, Role, User } from '../../domain/principal.js';
import { rolePermissions, roles } from '../../domain/roles.js';
import type { ConfigurationTables } from '../../domain/storage.js';
import { type OpenIdClaims, readClaim } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import type { PlaneParts } from '../parts.js';
import { changedInLine, draft } from '../workspaces/index.js';

interface Arrival {
  readonly workspaceId: string;
  /** Of the workspace, before the person was looked up. */
  readonly revision: number;
  readonly provider: IdentityProvider;
  readonly claims: OpenIdClaims;
}

type Parts = Pick<PlaneParts, 'storage' | 'now' | 'configurations'>;

/**
 * Returns the person, with the role of their groups. Throws `forbidden`, with what they can do, for somebody who is not let
 * in, and `conflict` if the change of role would leave the workspace without an active admin.
 */
export function admitPerson(parts: Parts, arrival: Omit<Arrival, 'revision'>): Promise<User> {
  const { workspaceId } = arrival;
  return changedInLine(parts, workspaceId, ({ revision }) => admit(parts, { ...arrival, revision }));
}

async function admit(parts: Parts, arrival: Arrival): Promise<User> {
  const { workspaceId, provider, claims } = arrival;
  const workspace = parts.storage.workspace(workspaceId);
  const identity: Identity = { issuer: claims.iss, subject: claims.sub };
  const knownId = await workspace.findIdentity(identity);
  const known = knownId === undefined ? undefined : await workspace.findUser(knownId);
  if (known?.status === 'disabled') throw disabled(known);
  const role = findRole(provider, claims);
  if (provider.roles !== undefined && role === undefined) {
    if (known) await endAccess(parts, workspaceId, known);
    throw noGroup(provider);
  }
  if (known) return role === undefined || role === known.role ? known : save(parts, arrival, { ...known, role });
  return admitStranger(parts, arrival, { identity, role });
}

interface Stranger {
  readonly identity: Identity;
  readonly role: Role | undefined;
}

async function admitStranger(parts: Parts, arrival: Arrival, { identity, role }: Stranger): Promise<User> {
  const { workspaceId, provider, claims } = arrival;
  const email = verifiedEmail(claims);
  const all = await parts.storage.workspace(workspaceId).listUsers();
  const named =
    email === undefined ? [] : all.filter((one) => one.email !== undefined && isSameAddress(one.email, email));
  const [invited, ...others] = named;
  if (invited?.status === 'invited' && others.length === 0) {
    const user: User = { ...invited, role: role ?? invited.role, status: 'active' };
    return save(parts, { ...arrival, identity }, user);
  }
  if (invited) throw addressInUse(provider);
  if (!provider.createUsers || role === undefined) throw notInvited(provider, email);
  return create(parts, arrival, { role, identity, email });
}

/** The most powerful role of the person's groups; undefined if no group has one. */
function findRole({ roles: map, groupsClaim }: IdentityProvider, claims: OpenIdClaims): Role | undefined {
  if (map === undefined) return undefined;
  const claim = readClaim(claims, groupsClaim);
  const groups = new Set(Array.isArray(claim) ? claim : [claim]);
  return roles.find((role) => map[role].some((group) => groups.has(group)));
}

/** Only letters of ASCII are the same in both cases: in lower case, others become letters that they are not. */
function isSameAddress(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return left === right;
}

/** Only an address that the provider vouches for. Some write the flag as text. */
function verifiedEmail({ email, email_verified: verified }: OpenIdClaims): string | undefined {
  const isVerified = verified === true || verified === 'true';
  return isVerified && typeof email === 'string' && /^[^\s@]{1,200}@[^\s@]{1,200}$/.test(email) ? email : undefined;
}

/** `identity`: one that becomes the person's. */
async function save(parts: Parts, arrival: Arrival & { readonly identity?: Identity }, user: User): Promise<User> {
  const { workspaceId, provider, claims, identity, revision } = arrival;
  const at = parts.now();
  const { id, name, role, status } = user;
  const body = { userId: id, name, role, status, provider: provider.name, ...(identity && { subject: claims.sub }) };
  const event = draft('user.changed', asActor(user, workspaceId), at, body);
  const write = async (tables: ConfigurationTables): Promise<void> => {
    await tables.changeUser(user);
    if (identity) await tables.insertIdentity(identity, id, at.toISOString());
    await endPrograms(tables, user, at);
  };
  await parts.storage.workspace(workspaceId).change([event], write, revision);
  return user;
}

/** A program acts for a person only while they could authorise it. */
async function endPrograms(tables: ConfigurationTables, { id, role }: User, at: Date): Promise<void> {
  if (!rolePermissions[role].includes('agents:act')) await tables.endUserPrograms(id, at.toISOString());
}

interface Newcomer {
  readonly role: Role;
  readonly identity: Identity;
  readonly email: string | undefined;
}

async function create(parts: Parts, arrival: Arrival, { role, identity, email }: Newcomer): Promise<User> {
  const { workspaceId, provider, claims } = arrival;
  const at = parts.now();
  const createdAt = at.toISOString();
  const user: User = { id: newId(), name: readName(claims), role, status: 'active', createdAt, ...defined({ email }) };
  const body = { userId: user.id, name: user.name, role, provider: provider.name, subject: claims.sub };
  await parts.storage
    .workspace(workspaceId)
    .change([draft('user.created', asActor(user, workspaceId), at, body)], async (tables) => {
      await tables.insertUser(user);
      await tables.insertIdentity(identity, user.id, createdAt);
    });
  return user;
}

/** They had a group once. What is still open in their name ends with it. */
async function endAccess(parts: Parts, workspaceId: string, user: User): Promise<void> {
  const at = parts.now();
  const workspace = parts.storage.workspace(workspaceId);
  const { id, name, role, status } = user;
  const body = { userId: id, name, role, status, accessEnded: 'no group' };
  await workspace.change([draft('user.changed', asActor(user, workspaceId), at, body)], async (tables) => {
    await tables.endUserAccess(id, at.toISOString());
  });
}

const asActor = ({ id, name }: User, workspaceId: string): Principal => ({
  kind: 'user',
  id,
  name,
  workspaceId,
  permissions: [],
});

const maxNameCharacters = 100;

function readName({ name, preferred_username: username, email, sub }: OpenIdClaims): string {
  for (const claim of [name, username, email, sub]) {
    if (typeof claim !== 'string') continue;
    const plain = claim
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, maxNameCharacters)
      .trim();
    if (plain !== '') return plain;
  }
  return 'no name';
}

function disabled({ name }: User): HelveError {
  return new HelveError('forbidden', `${name} is disabled here`, { hint: 'Ask an admin of this Helve.' });
}

function noGroup({ title }: IdentityProvider): HelveError {
  return new HelveError('forbidden', `None of your groups at ${title} has access to this Helve`, {
    hint: 'Ask whoever manages your groups there, or the operator of this Helve.',
  });
}

function notInvited({ title }: IdentityProvider, email: string | undefined): HelveError {
  const as =
    email === undefined ? `${title} gives no verified e-mail address for you` : `Nobody here has invited ${email}`;
  return new HelveError('forbidden', `${as}, so you cannot sign in`, {
    hint: 'Ask an admin of this Helve to invite you under your address there.',
  });
}

function addressInUse({ title }: IdentityProvider): HelveError {
  return new HelveError('forbidden', `Somebody with your address already signs in here, but not with ${title}`, {
    hint: 'Ask an admin of this Helve for a sign-in link.',
  });
}
