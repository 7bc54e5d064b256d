/** People: their roles, how they sign in, their sessions, and what stays when they leave. */
import type { AccountActs } from '../../domain/accounts.js';
import type { AuditEventType } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import type { Farewell, PeopleActs, UserChanges } from '../../domain/people.js';
import { type Principal, type Role, requirePermission, type User } from '../../domain/principal.js';
import { rolePermissions } from '../../domain/roles.js';
import type { ConfigurationTables } from '../../domain/storage.js';
import type { PlaneParts } from '../../flows/parts.js';
import { changedInLine, changedSince, draft } from '../../flows/workspaces/index.js';
import { isLive } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { getSession } from './door.js';
import { issueLink, newUser, readEmail, readName } from './invite.js';
import { getPerson } from './person-named.js';

/** `removeConnection`: of the plane, unchecked: it runs as the caller, on behalf of the person who leaves. */
export function createPeople(
  parts: PlaneParts,
  { removeConnection }: Pick<AccountActs, 'removeConnection'>,
): PeopleActs {
  const { storage, now } = parts;
  const workspaceOf = ({ workspaceId }: Principal) => storage.workspace(workspaceId);
  const row = (type: AuditEventType, by: Principal, body: JsonObject) => draft(type, by, now(), body);

  const getUser = (by: Principal, named: string): Promise<User> => getPerson(workspaceOf(by), named);

  return {
    async currentSession(principal) {
      const id = getSession(principal);
      const workspace = workspaceOf(principal);
      const [user, credential, known] = await Promise.all([
        getUser(principal, principal.id),
        workspace.findCredential(id),
        storage.system.findWorkspace(principal.workspaceId),
      ]);
      const { name, role, email } = user;
      return {
        user: { id: user.id, name, role, ...defined({ email }) },
        workspace: { id: principal.workspaceId, name: known?.name ?? '' },
        permissions: principal.permissions,
        ...defined({ expiresAt: credential?.expiresAt }),
      };
    },
    async sessions(principal) {
      const current = getSession(principal);
      const mine = await listSessions(parts, principal);
      return mine.map(({ id, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        createdAt,
        current: id === current,
        ...defined({ lastUsedAt, expiresAt }),
      }));
    },
    async endSession(principal, id) {
      getSession(principal);
      const mine = await listSessions(parts, principal);
      if (!mine.some((one) => one.id === id)) throw new HelveError('not_found', 'You have no such session');
      await parts.directory(principal.workspaceId).revoke(principal, id, 'ended');
    },
    users: (principal) => workspaceOf(principal).listUsers(),
    async createUser(principal, invited) {
      requireRole(principal, invited.role);
      const user = newUser(invited, now());
      const event = row('user.created', principal, { userId: user.id, name: user.name, role: user.role });
      await workspaceOf(principal).change([event], (tables) => tables.insertUser(user));
      return { user, ...(await issueLink(parts, principal, user)) };
    },
    async changeUser(principal, named, changes) {
      const change = async ({ revision }: WorkspaceConfiguration): Promise<User> => {
        const before = await getUser(principal, named);
        requireRole(principal, before.role);
        if (changes.role !== undefined) requireRole(principal, changes.role);
        const user = applyChanges(before, changes);
        const { id, name, role, status } = user;
        const event = row('user.changed', principal, { userId: id, name, role, status });
        const write = async (tables: ConfigurationTables): Promise<void> => {
          await tables.changeUser(user);
          if (status === 'disabled') await tables.endUserAccess(id, now().toISOString());
          // A program acts for them only while they could authorise it.
          else if (!rolePermissions[role].includes('agents:act')) await tables.endUserPrograms(id, now().toISOString());
        };
        await workspaceOf(principal).change([event], write, revision);
        return user;
      };
      return changedInLine(parts, principal.workspaceId, change);
    },
    async removeUser(principal, named, farewell) {
      const { id } = await getUser(principal, named);
      // Removing accounts changes the configuration: then there is a second round, which finds none.
      await changedSince(parts, principal.workspaceId, async ({ connections, revision }) => {
        const user = await getUser(principal, id);
        requireRole(principal, user.role);
        const owned = connections.filter(({ ownerId }) => ownerId === id);
        const to =
          farewell?.accounts === 'hand_over' ? await getHeir(await getUser(principal, farewell.to), id) : undefined;
        if (owned.length > 0 && farewell === undefined)
          throw keepsAccounts(
            user,
            owned.map(({ slug }) => slug),
          );
        if (farewell?.accounts === 'remove')
          for (const { id: account } of owned)
            await removeConnection({ ...principal, onBehalfOf: asRef(user) }, account);
        const changed = to === undefined ? [] : owned.map((one) => ({ ...one, ownerId: to.id }));
        const events = [
          ...changed.map(({ id: connectionId, ownerId }) =>
            row('connection.changed', principal, { connectionId, ownerId }),
          ),
          row('user.removed', principal, { userId: id, name: user.name, ...describeFarewell(farewell) }),
        ];
        const write = async (tables: ConfigurationTables): Promise<void> => {
          for (const one of changed) await tables.updateConnection(one);
          await tables.endUserAccess(id, now().toISOString());
          await tables.deleteUser(id);
        };
        await workspaceOf(principal).change(events, write, revision);
      });
    },
    issueSignInLink: (principal, named) =>
      changedInLine(parts, principal.workspaceId, async ({ revision }) => {
        const user = await getUser(principal, named);
        requireRole(principal, user.role);
        if (user.status === 'disabled')
          throw new HelveError('conflict', `${user.name} is disabled`, { hint: 'Enable them first.' });
        return issueLink(parts, principal, { ...user, revision });
      }),
  };
}

/** Newest first. */
async function listSessions({ storage, now }: PlaneParts, { workspaceId, id }: Principal) {
  const all = await storage.workspace(workspaceId).listCredentials();
  const mine = all.filter((one) => one.kind === 'session' && one.principalId === id && isLive(one, now()));
  return mine.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** A caller cannot make anybody more powerful than it is, nor act on somebody who is. Throws `forbidden`. */
function requireRole(principal: Principal, role: Role): void {
  for (const permission of rolePermissions[role]) requirePermission(principal, permission);
}

const asRef = ({ id, name }: User) => ({ kind: 'user', id, name }) as const;

function applyChanges(user: User, { name, email, role, disabled }: UserChanges): User {
  const { email: known, ...facts } = user;
  // It is no longer known whether they ever signed in, which affects only how they are shown.
  const status = disabled === undefined ? user.status : disabled ? 'disabled' : 'active';
  return {
    ...facts,
    status,
    name: name === undefined ? user.name : readName(name),
    role: role ?? user.role,
    ...defined({ email: email === undefined ? known : readEmail(email) }),
  };
}

async function getHeir(heir: User, leaver: string): Promise<User> {
  if (heir.id !== leaver && heir.status !== 'disabled') return heir;
  throw new HelveError('invalid_input', 'The accounts can be handed over only to another person who is not disabled');
}

function keepsAccounts(user: User, slugs: readonly string[]): HelveError {
  return new HelveError('conflict', `${user.name} owns accounts: ${slugs.join(', ')}`, {
    hint: 'Say what to do with them: accounts=remove, or accounts=hand_over&to=<another person> (on the command line --accounts and --to).',
    details: { accounts: [...slugs] },
  });
}

const describeFarewell = (farewell: Farewell | undefined): JsonObject =>
  farewell === undefined ? {} : { ...farewell };
