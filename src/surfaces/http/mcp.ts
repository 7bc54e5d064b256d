/** Where the MCP door hangs: one address per agent, bearer tokens only. This path is hot; it does no more than it must. */
import { HelveError } from '../../spec/errors.js';
import type { Plane } from '../../spec/plane.js';
import type { Principal } from '../../spec/principal.js';
import { bearerSecret, noCredential } from './authenticate.js';
import type { HttpContext, McpHandler } from './context.js';

export function createMcpMount(plane: Plane, mcp: McpHandler): (context: HttpContext) => Promise<Response> {
  return async function serveMcp(context) {
    const agentSlug = context.req.param('agent') ?? '';
    const secret = bearerSecret(context);
    if (secret === undefined) throw noCredential();
    const caller = await plane.authenticate(secret);
    const principal =
      caller.kind === 'agent' ? await ownAgent(plane, caller, agentSlug) : await plane.actAs(caller, agentSlug);
    return mcp(context.req.raw, principal, agentSlug, context.env ?? {});
  };
}

/** Not async: the usual case must not wait a turn. */
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
