/**
 * Grants for tools of documents and servers, which are read after the start: no start waits for an external source. An
 * agent's existing grants, if still declared, stay until the toolkit has been read.
 */
import { HelveError } from '../../domain/errors.js';
import type { Agent } from '../../domain/principal.js';
import type { Toolkit } from '../../domain/tool.js';
import type { PlaneParts } from '../../flows/parts.js';
import { systemPrincipal } from '../../flows/workspaces/index.js';
import { replaceGrants } from '../acts/grants/index.js';

export interface LateGrants {
  /** Calls `apply` when one of these toolkits has been read, until it returns true. */
  whenRead(toolkits: ReadonlySet<string>, apply: () => Promise<boolean>): void;
  /** Grants a first agent the tools that these toolkits offer without an account, as each is read. */
  grantAll(agent: Agent, toolkits: readonly Toolkit[]): void;
  report(error: HelveError): void;
  stop(): void;
}

export function createLateGrants(
  parts: PlaneParts,
  workspaceId: string,
  reportError: (error: unknown) => void,
): LateGrants {
  let stopped = false;
  const ends = new Set<() => void>();
  /** Changes of grants run one after the other. */
  let queue: Promise<void> = Promise.resolve();

  function inTurn(work: () => Promise<void>): void {
    queue = queue.then(async () => {
      if (!stopped) await work();
    });
    queue = queue.catch((error: unknown) => {
      if (!stopped) reportError(error);
    });
  }

  return {
    whenRead(toolkits, apply) {
      const attempt = (): void =>
        inTurn(async () => {
          if (await apply()) end();
        });
      const end = parts.registry.onChange(attempt);
      ends.add(end);
      // Reading starts now; the registry notifies about toolkits that are late or recover from a failure.
      const readings = [...toolkits].map((slug) => parts.registry.tools(slug, workspaceId).catch(() => undefined));
      void Promise.all(readings).then(attempt);
    },
    grantAll(agent, toolkits) {
      const grant = async (kit: Toolkit): Promise<void> => {
        const tools = await parts.registry.tools(kit.slug, workspaceId).catch(() => []);
        if (kit.needsConnection) return;
        inTurn(() => grantToolkit(parts, workspaceId, agent, { slug: kit.slug, tools: tools.map(({ tool }) => tool) }));
      };
      // A document takes a while on the shared thread: one after the other.
      const documents = toolkits.filter(({ provider }) => provider === 'openapi');
      void Promise.all(toolkits.filter((kit) => !documents.includes(kit)).map(grant));
      void documents.reduce((before, kit) => before.then(() => (stopped ? undefined : grant(kit))), Promise.resolve());
    },
    report(error) {
      if (!stopped) reportError(error);
    },
    stop() {
      stopped = true;
      for (const end of ends) end();
    },
  };
}

/** Does nothing if the agent already has a grant for the toolkit, or no longer exists. */
async function grantToolkit(
  parts: PlaneParts,
  workspaceId: string,
  agent: Agent,
  toolkit: {
    readonly slug: string;
    readonly tools: readonly { id: { name: string }; risk: string }[];
  },
): Promise<void> {
  const tools = toolkit.tools.filter(({ risk }) => risk !== 'destructive');
  const { grants } = await parts.configurations.getFresh(workspaceId);
  const present = grants.filter(({ agentId }) => agentId === agent.id);
  const isThere = (await parts.storage.workspace(workspaceId).findAgent(agent.slug))?.id === agent.id;
  if (!isThere || tools.length === 0 || present.some((grant) => grant.toolkit === toolkit.slug)) return;
  await replaceGrants(parts, systemPrincipal(workspaceId), agent, {
    grants: [{ toolkit: toolkit.slug, tools: tools.map(({ id }) => id.name), limits: {}, config: {} }],
    keeps: (grant) => (grant.toolkit === toolkit.slug ? undefined : grant.tools),
  });
}

/** For the operator, who declared it: one line with file, line and key. */
export function notThereYet(place: string, name: string, toolkit: string): HelveError {
  return new HelveError('invalid_config', `${place}: ${toolkit} has no tool ${JSON.stringify(name)} so far`, {
    hint: 'It is granted as soon as it exists. Check the name, and whether the toolkit can be read: helve doctor.',
  });
}
