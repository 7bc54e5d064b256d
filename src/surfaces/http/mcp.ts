/**
 * Mounts the MCP doors, for bearer tokens only: that of tools with one address per agent, and that of tasks. The path of the
 * tools is hot and does only the necessary work.
 */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { type Principal, taskDoorName } from '../../domain/principal.js';
import { bearerSecret, noCredential } from './authenticate.js';
import type { HttpContext, McpHandler, TaskMcpHandler } from './context.js';
import { guardStream } from './guarded-stream.js';
import { challenge, getIssuer, lacksScope, mcpAddress } from './oauth/index.js';
import { HttpRefusal } from './problem.js';

export function createMcpMount(
  plane: Plane,
  mcp: McpHandler,
  publicUrl: string,
): (context: HttpContext) => Promise<Response> {
  const issuer = getIssuer(publicUrl);

  return async function serveMcp(context) {
    const agentSlug = context.req.param('agent') ?? '';
    const caller = await authenticateAt(plane, context, { issuer, name: agentSlug });
    const principal =
      caller.kind === 'agent' ? await ownAgent(plane, caller, agentSlug) : await plane.actAs(caller, agentSlug);
    if (principal.onBehalfOf !== undefined && (await lacksScope(principal, context.req.raw)))
      throw insufficientScope(issuer, agentSlug);
    const response = await mcp(context.req.raw, principal, agentSlug, context.env ?? {});
    return guardNotices(response, context, () => authenticateAt(plane, context, { issuer, name: agentSlug }));
  };
}

export const taskPath = `/mcp/${taskDoorName}`;

/**
 * Every caller acts for itself here, with the permissions of its own credential. A token of an OAuth client is valid if a person
 * authorized the client for this address: then the client acts as that person.
 */
export function createTaskMount(
  plane: Plane,
  tasks: TaskMcpHandler,
  publicUrl: string,
): (context: HttpContext) => Promise<Response> {
  const issuer = getIssuer(publicUrl);

  return async function serveTasks(context) {
    const caller = await authenticateAt(plane, context, { issuer, name: taskDoorName });
    // An agent that had this name before the door did: its person agreed to something else.
    if (caller.onBehalfOf !== undefined)
      throw unauthenticated(noCredential(), challenge(issuer, taskDoorName, 'invalid_token'));
    const response = await tasks(context.req.raw, caller);
    return guardNotices(response, context, () => authenticateAt(plane, context, { issuer, name: taskDoorName }));
  };
}

/** A stream of notices ends with the credential that it was opened with. That of a call ends by itself, with its answer. */
function guardNotices(response: Response, context: HttpContext, check: () => Promise<unknown>): Response {
  const isOfNotices = context.req.method === 'GET' || context.req.header('mcp-method') === 'subscriptions/listen';
  return isOfNotices ? guardStream(response, check) : response;
}

interface DoorAddress {
  readonly issuer: string;
  readonly name: string;
}

async function authenticateAt(plane: Plane, context: HttpContext, { issuer, name }: DoorAddress): Promise<Principal> {
  const secret = bearerSecret(context);
  if (secret === undefined) throw unauthenticated(noCredential(), challenge(issuer, name));
  try {
    return await plane.authenticate(secret, mcpAddress(issuer, name));
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'unauthenticated') throw error;
    throw unauthenticated(error, challenge(issuer, name, 'invalid_token'));
  }
}

/** Tells a program without a token where it can get one (RFC 9728). */
function unauthenticated({ message, hint = '' }: HelveError, wwwAuthenticate: string): HttpRefusal {
  return new HttpRefusal(401, 'unauthenticated', message, hint, { 'www-authenticate': wwwAuthenticate });
}

function insufficientScope(issuer: string, agent: string): HttpRefusal {
  return new HttpRefusal(
    403,
    'forbidden',
    'This credential can list tools but not call them',
    'An OAuth client must ask the person again, with the scope tools:call; a key needs the permission tools:call.',
    { 'www-authenticate': challenge(issuer, agent, 'insufficient_scope') },
  );
}

/** Not async, because the usual case must not wait for a microtask. */
function ownAgent(plane: Plane, caller: Principal, agentSlug: string): Principal | Promise<never> {
  return caller.name === agentSlug || caller.id === agentSlug ? caller : refuse(plane, caller, agentSlug);
}

async function refuse(plane: Plane, caller: Principal, agentSlug: string): Promise<never> {
  await plane.recordRefusal(caller.workspaceId, 'token of another agent', {
    agent: caller.id,
    address: agentSlug.slice(0, 200),
  });
  throw new HelveError('forbidden', 'This token belongs to another agent', {
    hint: `Use the address of the agent that the token was issued for: /mcp/${caller.name}`,
  });
}
