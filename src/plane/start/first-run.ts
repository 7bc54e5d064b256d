/**
 * The first start of an installation: a workspace, its admin, a first agent with its grants. Later starts find them.
 */
import type { AuditDraft } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { Agent, Principal, Workspace } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { changedSince, isOutside, systemActor, systemPrincipal } from '../../flows/workspaces/index.js';
import { newId } from '../../util/hash.js';
import { replaceGrants } from '../acts/grants/index.js';
import type { LateGrants } from './late-grants.js';

const maxRounds = 5;

/** Returns the workspace with this slug, and creates it if necessary. */
export async function ensureWorkspace(
  parts: PlaneParts,
  slug: string,
): Promise<{ workspace: Workspace; created: boolean }> {
  const at = parts.now().toISOString();
  const row: AuditDraft = { type: 'workspace.created', at, actor: systemActor, body: { slug } };
  return parts.storage.system.createWorkspace({ id: newId(), slug, name: slug, createdAt: at }, [row]);
}

/**
 * Ensures a first agent: the first that `helve.yaml` declares, or else one that may use every bundled tool. Its first
 * token is returned only when it is created.
 */
export async function ensureFirstAgent(
  parts: PlaneParts,
  plane: Plane,
  workspaceId: string,
  { slug, late }: { readonly slug: string; readonly late: LateGrants },
): Promise<{ agent: string; token: string | undefined }> {
  const principal = systemPrincipal(workspaceId);
  const [known] = await plane.agents(principal);
  const agent = known ?? (await createFirstAgent(parts, plane, principal, { slug, late }));
  const directory = parts.directory(workspaceId);
  // Of two processes that start simultaneously, one creates the token: the other finds the workspace changed and looks
  // again.
  const token = await changedSince(parts, workspaceId, async ({ revision }) => {
    if ((await directory.credentials()).some(({ kind }) => kind === 'agent_token')) return undefined;
    const options = { name: 'first token', revision };
    return (await directory.issue(principal, 'agent_token', agent.id, options)).secret;
  });
  return { agent: agent.slug, token };
}

/**
 * Runs `act`, which creates what is missing, again if another process created the same thing in between. Throws what
 * `act` throws, and `conflict` if that happens too often.
 */
export async function repeatOnConflict<T>(act: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof HelveError && error.code === 'conflict') || round === maxRounds) throw error;
    }
  }
}

async function createFirstAgent(
  parts: PlaneParts,
  plane: Plane,
  principal: Principal,
  { slug, late }: { readonly slug: string; readonly late: LateGrants },
): Promise<Agent> {
  const agent = await plane.createAgent(principal, { slug, name: 'First agent' });
  const offered = (await parts.registry.toolkits()).filter(({ onDemand }) => !onDemand);
  const toolkits = offered.filter((toolkit) => !toolkit.needsConnection && !isOutside(toolkit));
  const grants = await Promise.all(
    toolkits.map(async ({ slug: toolkit }) => {
      const tools = (await parts.registry.tools(toolkit)).filter(
        ({ tool }) => !tool.intrinsic && tool.risk !== 'destructive',
      );
      return { toolkit, tools: tools.map(({ tool }) => tool.id.name), limits: {}, config: {} };
    }),
  );
  const some = grants.filter((grant) => grant.tools.length > 0);
  await replaceGrants(parts, principal, agent, { grants: some });
  // Only the document itself says whether its toolkit needs an account.
  late.grantAll(
    agent,
    offered.filter((kit) => isOutside(kit) && (kit.provider === 'openapi' || !kit.needsConnection)),
  );
  return agent;
}
