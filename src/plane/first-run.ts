/** The first start of an installation: a workspace, its admin, a first agent with its grants. Later starts find them. */
import type { AuditDraft } from '../spec/audit.js';
import type { Plane } from '../spec/plane.js';
import { allPermissions, type Principal, type PrincipalRef, type Workspace } from '../spec/principal.js';
import { newId } from '../util/hash.js';
import { replaceGrants } from './administration.js';
import type { PlaneParts } from './parts.js';

const systemActor: PrincipalRef = { kind: 'user', id: 'system', name: 'Helve' };

/** Trusted code in this process, acting for nobody in particular. */
export function systemPrincipal(workspaceId: string): Principal {
  return { ...systemActor, workspaceId, permissions: allPermissions };
}

export async function ensureWorkspace(
  parts: PlaneParts,
  slug: string,
): Promise<{ workspace: Workspace; created: boolean }> {
  const at = parts.now().toISOString();
  const row: AuditDraft = { type: 'workspace.created', at, actor: systemActor, body: { slug } };
  return parts.storage.system.createWorkspace({ id: newId(), slug, name: slug, createdAt: at }, [row]);
}

/** An agent that may use every bundled tool: what a newcomer tries first. Returns its token when it was made now. */
export async function ensureFirstAgent(
  parts: PlaneParts,
  plane: Plane,
  workspaceId: string,
  slug: string,
): Promise<string | undefined> {
  const principal = systemPrincipal(workspaceId);
  if ((await plane.agents(principal)).length > 0) return undefined;
  const agent = await plane.createAgent(principal, { slug, name: 'First agent' });
  const toolkits = (await parts.registry.toolkits()).filter((toolkit) => !toolkit.needsConnection);
  const grants = await Promise.all(
    toolkits.map(async ({ slug: toolkit }) => {
      const tools = (await parts.registry.tools(toolkit)).filter(
        ({ tool }) => !tool.intrinsic && tool.risk !== 'destructive',
      );
      return { toolkit, tools: tools.map(({ tool }) => tool.id.name), limits: {}, config: {} };
    }),
  );
  await replaceGrants(
    parts,
    principal,
    agent,
    grants.filter((grant) => grant.tools.length > 0),
  );
  return (await plane.issueAgentToken(principal, slug, { name: 'first token' })).secret;
}
