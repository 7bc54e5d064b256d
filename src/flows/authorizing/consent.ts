/**
 * A person authorizes a program. Everything is checked before the person is asked, and again after the answer; problems
 * are shown on our own page, since the program's page is not trusted yet.
 */

import type { Authorization, AuthorizationActs, AuthorizationStep, OAuthClient } from '../../domain/authorization.js';
import { HelveError } from '../../domain/errors.js';
import type { Agent, Principal } from '../../domain/principal.js';
import { keyBehind, requirePermission } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { newId, newSecret, sha256 } from '../../util/hash.js';
import { isRegistered, redirectUriProblem } from './client-metadata.js';
import { type AuthorizationParts, at, getFacts, row, storedAt } from './parts.js';
import { type AuthorizationRequest, answerLocation, isProblem, readRequest, shapeProblem } from './request.js';

const pageSeconds = 10 * 60;
const codeSeconds = 60;

export function createConsent(
  parts: AuthorizationParts,
): Pick<AuthorizationActs, 'beginAuthorization' | 'decideAuthorization'> {
  return {
    async beginAuthorization(issuer, query, person) {
      const misshapen = shapeProblem(query);
      if (misshapen !== undefined) return problem('invalid_request', `The request is not valid: ${misshapen}.`);
      const found = await findClient(parts, query.get('client_id') ?? '', person !== undefined);
      if (found === 'not_fetched') return { kind: 'log_in' };
      if ('kind' in found) return found;
      const redirectUri = query.get('redirect_uri') ?? '';
      const { redirectUris } = found;
      if (!isRegistered(redirectUri, redirectUris) || redirectUriProblem(redirectUri) !== undefined)
        return problem(
          'invalid_request',
          'The program asks to have the answer sent to an address that it has not registered.',
        );
      const read = readRequest(query, issuer);
      const state = query.get('state') ?? undefined;
      const tell = (error: string, message: string): AuthorizationStep => {
        const location = answerLocation(redirectUri, { error, error_description: message, state }, issuer);
        return { kind: 'problem', error, message, location };
      };
      if (isProblem(read)) return tell(read.error, read.message);
      if (person === undefined) return { kind: 'log_in' };
      requirePerson(person);
      const asking = { person, client: found, redirectUri, state };
      if (read.agent === undefined) {
        const scopes = read.scopes.filter((scope) => person.permissions.includes(scope));
        if (scopes.length === 0) return tell('access_denied', 'Your role allows nothing that the program asks for');
        return ask(parts, { ...asking, agent: undefined, request: { ...read, scopes } });
      }
      requirePermission(person, 'agents:act');
      const agent = await parts.storage.workspace(person.workspaceId).findAgent(read.agent);
      if (agent === undefined) return tell('invalid_target', 'There is no such agent in your workspace');
      return ask(parts, { ...asking, agent, request: read });
    },
    async decideAuthorization(issuer, person, token, decision) {
      requirePerson(person);
      const asked = await parts.storage.system.findAuthorization(sha256(token));
      if (asked?.status !== 'asked' || asked.workspaceId !== person.workspaceId || asked.user.id !== person.id)
        throw pageOver();
      if (asked.agentId !== undefined) requirePermission(person, 'agents:act');
      return { location: await (decision === 'approved' ? agree : refuse)(parts, asked, person, issuer) };
    },
  };
}

async function findClient(
  { clients }: AuthorizationParts,
  id: string,
  signedIn: boolean,
): Promise<OAuthClient | AuthorizationStep | 'not_fetched'> {
  try {
    const found = await clients.find(id, signedIn);
    return found === 'unknown' ? problem('invalid_client', 'This program is unknown here.') : found;
  } catch (thrown) {
    if (thrown instanceof HelveError && thrown.code === 'invalid_input')
      return problem('invalid_client', thrown.message);
    throw thrown;
  }
}

interface Asking {
  readonly person: Principal;
  /** Undefined at the door of tasks. */
  readonly agent: Agent | undefined;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly request: AuthorizationRequest;
}

async function ask(
  parts: AuthorizationParts,
  { person, agent, client, redirectUri, state, request }: Asking,
): Promise<AuthorizationStep> {
  const token = newSecret('helve_consent');
  const { scopes, resource, challenge } = request;
  const { kind, id, name, workspaceId } = person;
  const workspace = parts.storage.workspace(workspaceId);
  const key = await keyBehind(workspace, person);
  await workspace.authorizations.insert({
    id: newId(),
    workspaceId,
    status: 'asked',
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    user: { kind, id, name },
    resource,
    scopes,
    challenge,
    secretHash: sha256(token),
    createdAt: at(parts),
    expiresAt: at(parts, pageSeconds),
    ...defined({ state, agentId: agent?.id }),
    ...(key === undefined ? {} : { parentId: key.id }),
  });
  const shown = agent && { slug: agent.slug, name: agent.name };
  return { kind: 'consent', question: { token, client, redirectUri, scopes, ...defined({ agent: shown }) } };
}

async function agree(
  parts: AuthorizationParts,
  asked: Authorization,
  person: Principal,
  issuer: string,
): Promise<string> {
  const { id, clientId, redirectUri, state } = asked;
  const workspace = parts.storage.workspace(asked.workspaceId);
  const code = newSecret('helve_code');
  const granted = { hash: sha256(code), expiresAt: await storedAt(parts, codeSeconds) };
  if (!(await workspace.authorizations.agree(id, granted, at(parts)))) throw pageOver();
  await parts.clients.keep({ id: clientId });
  await record(parts, 'authorization.granted', asked, person);
  return answerLocation(redirectUri, { code, state }, issuer);
}

async function refuse(
  parts: AuthorizationParts,
  asked: Authorization,
  person: Principal,
  issuer: string,
): Promise<string> {
  const workspace = parts.storage.workspace(asked.workspaceId);
  if (!(await workspace.authorizations.refuse(asked.id, at(parts)))) throw pageOver();
  await record(parts, 'authorization.refused', asked, person);
  const { redirectUri, state } = asked;
  return answerLocation(
    redirectUri,
    { error: 'access_denied', error_description: 'The person refused', state },
    issuer,
  );
}

async function record(
  parts: AuthorizationParts,
  type: 'authorization.granted' | 'authorization.refused',
  asked: Authorization,
  person: Principal,
): Promise<void> {
  const events = [row(parts, type, person, getFacts(asked))];
  await parts.storage.commit([{ workspaceId: asked.workspaceId, events }]);
}

/** Only a person may authorise a program: no key or agent can pass on its own identity. */
function requirePerson(person: Principal): void {
  if (person.kind !== 'user')
    throw new HelveError('forbidden', 'Only a person who is signed in can authorize a program', {
      hint: 'Sign in, in this browser.',
    });
}

function problem(error: string, message: string): AuthorizationStep {
  return { kind: 'problem', error, message };
}

function pageOver(): HelveError {
  return new HelveError('expired', 'This page has already been answered, or was left open for too long', {
    hint: 'Start again in the program.',
  });
}
