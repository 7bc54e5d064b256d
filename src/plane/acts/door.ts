/** Authentication: secrets, links, addresses, and whether the store answers. */

import { redact } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { MachineCheck } from '../../domain/reach.js';
import type { Setting } from '../../domain/settings.js';
import type { PlaneParts } from '../../flows/parts.js';
import { openSession } from '../../flows/signing-in/index.js';
import { changedInLine, draft, toolkitsInUse } from '../../flows/workspaces/index.js';
import { Misdirected } from '../../principals/index.js';
import { sha256 } from '../../util/hash.js';
import { answersInTime } from './readiness.js';

/** The part of a secret that a list of credentials shows: its kind and at least four characters. */
const prefixChars = 16;

type Door = Pick<
  Plane,
  | 'authenticate'
  | 'authenticateSession'
  | 'redeemAdminLink'
  | 'signOut'
  | 'signOutEverywhere'
  | 'admitRequest'
  | 'machineChecks'
  | 'settings'
  | 'healthy'
>;

export function createDoor(parts: PlaneParts): Door {
  const { authenticator, limits, journal, now } = parts;
  return {
    authenticate: (secret, resource) =>
      authenticator.authenticate(secret, resource).catch(async (error: unknown) => {
        if (error instanceof HelveError && error.cause instanceof Misdirected)
          await recordMisdirected(parts, error.cause.principal, resource);
        throw error;
      }),
    authenticateSession: (secret) => authenticator.authenticateSession(secret),
    async signOut(principal) {
      const credentialId = getSession(principal);
      await parts.directory(principal.workspaceId).revoke(principal, credentialId, 'signed out');
    },
    async signOutEverywhere(principal) {
      getSession(principal);
      return parts.directory(principal.workspaceId).endSessions(principal, principal.id);
    },
    async redeemAdminLink(secret) {
      const principal = await authenticator.takeLink(secret);
      const row = draft('credential.used', principal, now(), { kind: 'admin_link' });
      await journal.append({ workspaceId: principal.workspaceId, events: [row] });
      await welcome(parts, principal);
      const { credentialId, ...opened } = await openSession(parts, principal);
      return { principal: { ...principal, credentialId }, ...opened };
    },
    async admitRequest(address, secret, resource) {
      if (secret === undefined) return limits.admitAddress(address);
      // A valid secret is looked up before anything is counted: other callers' failures cannot lock it out.
      const good = await authenticator.authenticate(secret, resource).then(
        () => true,
        (error: unknown) => {
          if (error instanceof HelveError && error.code === 'unauthenticated') return false;
          throw error;
        },
      );
      await (good
        ? limits.admitCredential(sha256(secret))
        : limits.admitFailure(address, secret.slice(0, prefixChars)));
    },
    async machineChecks(principal) {
      return [...(await parts.machineChecks()), ...(await toolkitChecks(parts, principal))];
    },
    async settings() {
      return (await parts.settings()).map(hideSecret);
    },
    healthy: () => answersInTime(parts.canWrite),
  };
}

/** What the record would hide, by its name or its form, is hidden here too. */
function hideSecret(setting: Setting): Setting {
  const { value, ...rest } = setting;
  if (value === undefined) return setting;
  const name = setting.key.split('.').at(-1) ?? '';
  return JSON.stringify(redact({ [name]: value })).includes('[redacted]') ? { ...rest, secret: true } : setting;
}

/** Returns a row for each toolkit in use that has tools which are not offered. */
async function toolkitChecks(
  { registry, configurations }: PlaneParts,
  { workspaceId }: Principal,
): Promise<readonly MachineCheck[]> {
  const inUse = toolkitsInUse(await configurations.getFresh(workspaceId));
  const checks: MachineCheck[] = [];
  for (const { slug } of (await registry.toolkits()).filter(inUse)) {
    const unoffered = await registry.unoffered(slug, workspaceId);
    if (unoffered.length === 0) continue;
    const [whole] = unoffered.filter(({ name }) => name === '*');
    const named = unoffered.slice(0, maxNamed).map(({ name, reason }) => `${name}: ${reason}`);
    const more = unoffered.length > maxNamed ? `; and ${unoffered.length - maxNamed} more` : '';
    const tools = unoffered.length === 1 ? '1 tool is' : `${unoffered.length} tools are`;
    const detail = whole?.reason ?? `${tools} not offered. ${named.join('; ')}${more}`;
    checks.push({ check: `toolkit ${slug}`, ok: false, detail });
  }
  return checks;
}

/** Maximum tools in one row. */
const maxNamed = 5;

/** Returns the id of the caller's session. Only a session gives a user principal with a credential. */
/** The id of the session that the caller presented. Throws `forbidden` if it presented none. */
export function getSession({ kind, credentialId }: Principal): string {
  if (kind === 'user' && credentialId !== undefined) return credentialId;
  throw new HelveError('forbidden', 'Only a person who is signed in has a session', {
    hint: 'Revoke a key or a token by its id instead.',
  });
}

/** A person who was invited has come. */
async function welcome(parts: PlaneParts, principal: Principal): Promise<void> {
  const workspace = parts.storage.workspace(principal.workspaceId);
  const change = async ({ revision }: WorkspaceConfiguration): Promise<void> => {
    const user = await workspace.findUser(principal.id);
    if (user?.status !== 'invited') return;
    const event = draft('user.changed', principal, parts.now(), { userId: user.id, status: 'active' });
    await workspace.change([event], (tables) => tables.changeUser({ ...user, status: 'active' }), revision);
  };
  await changedInLine(parts, principal.workspaceId, change);
}

async function recordMisdirected({ journal, now }: PlaneParts, caller: Principal, address: string | undefined) {
  const body = { reason: 'token of another address', agent: caller.id, address: (address ?? 'none').slice(0, 200) };
  const row = draft('request.refused', caller, now(), body);
  await journal.append({ workspaceId: caller.workspaceId, events: [row] });
}
