/** Signing in with an account at an OpenID provider. */
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { IdentityActs, IdentityProvider } from '../../domain/identity.js';
import type { Workspace } from '../../domain/principal.js';
import { readRole } from '../../domain/roles.js';
import { createOpenIdClient, type OpenIdClient } from '../../principals/index.js';
import { sha256 } from '../../util/hash.js';
import { tokenHttp } from '../connecting/index.js';
import type { PlaneParts } from '../parts.js';
import { draft } from '../workspaces/index.js';
import { admitPerson } from './admit-person.js';
import { createBinding, lifetimeMs, readBinding } from './browser-binding.js';
import { openSession } from './open-session.js';

const timeoutMs = 20_000;

interface Way {
  readonly provider: IdentityProvider;
  readonly client: OpenIdClient;
}

export function createIdentityActs(parts: PlaneParts): IdentityActs {
  const { accounts, identityProviders, now, storage } = parts;
  const http = (servers: Parameters<typeof tokenHttp>[1]) => tokenHttp(accounts, servers, timeoutMs);
  const ways = new Map(
    identityProviders.map((provider): [string, Way] => [
      provider.name,
      { provider, client: createOpenIdClient({ provider, http, now }) },
    ]),
  );

  function getWay(name: string): Way {
    const way = ways.get(name);
    if (way) return way;
    throw new HelveError('not_found', 'This way to sign in is not offered here', {
      hint: 'Choose one on the sign-in page.',
    });
  }

  /** Registered at the provider. One for each, so that no provider gets another's answers delivered. */
  function getRedirectUri(name: string): string {
    const url = accounts.publicUrl(`/admin/login/${name}/callback`);
    if (url !== undefined) return url;
    throw new HelveError('invalid_config', 'Helve does not know its own address', { hint: 'Set HELVE_PUBLIC_URL.' });
  }

  return {
    identityProviders: async () => identityProviders.map(({ name, title }) => ({ name, title })),
    async startIdentitySignIn(name, returnTo) {
      const { client } = getWay(name);
      const binding = createBinding(name, now(), returnTo);
      const location = await client.authorizationUrl({ redirectUri: getRedirectUri(name), ...binding });
      return { location, cookie: binding.cookie, maxAgeSeconds: lifetimeMs / 1_000 };
    },
    async finishIdentitySignIn(name, callback, cookie = '') {
      const { provider, client } = getWay(name);
      const states = callback.getAll('state');
      const binding = readBinding(name, { cookie, state: states.length === 1 ? (states[0] ?? '') : '' }, now());
      if (!binding) throw notOfThisBrowser();
      const workspace = await findWorkspace(parts, provider);
      try {
        const end = new Date(binding.startedAt.getTime() + lifetimeMs).toISOString();
        if (!(await storage.system.useOnce(sha256(binding.state), end))) throw alreadyFinished();
        const claims = await client.readClaims(callback, { redirectUri: getRedirectUri(name), ...binding });
        const user = await admitPerson(parts, { workspaceId: workspace.id, provider, claims });
        const { id, name: called } = user;
        const person = { kind: 'user', id, name: called, workspaceId: workspace.id, ...readRole(user) } as const;
        const used = draft('credential.used', person, now(), { kind: 'identity', provider: name });
        await parts.journal.append({ workspaceId: workspace.id, events: [used] });
        const { session, expiresAt } = await openSession(parts, person);
        return { session, expiresAt, returnTo: binding.returnTo };
      } catch (thrown) {
        await recordRefusal(parts, { workspace, provider, error: toHelveError(thrown) });
        throw thrown;
      }
    },
  };
}

async function findWorkspace({ storage }: PlaneParts, { name, workspace }: IdentityProvider): Promise<Workspace> {
  const found = await storage.system.findWorkspace(workspace);
  if (found?.slug === workspace) return found;
  throw new HelveError('invalid_config', `sign_in.oidc: ${name} signs in to ${workspace}, which does not exist`, {
    hint: 'Create the workspace, or name another.',
  });
}

async function recordRefusal(
  { journal, now }: PlaneParts,
  refused: { readonly workspace: Workspace; readonly provider: IdentityProvider; readonly error: HelveError },
): Promise<void> {
  const { workspace, provider, error } = refused;
  const actor = { kind: 'user', id: 'unknown', name: 'unknown' } as const;
  const body = { reason: 'sign-in refused', provider: provider.name, code: error.code, problem: error.message };
  const event = { type: 'request.refused', at: now().toISOString(), actor, body } as const;
  await journal.append({ workspaceId: workspace.id, events: [event] });
}

function notOfThisBrowser(): HelveError {
  return new HelveError('expired', 'This sign-in was started in another browser, or took more than ten minutes', {
    hint: 'Start again, in this browser.',
  });
}

function alreadyFinished(): HelveError {
  return new HelveError('expired', 'This sign-in was already finished', { hint: 'Start again.' });
}
