/** Rules that give issues to agents: their names are resolved when they are written, and the agents work for whoever wrote them. */
import { principalRef } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import { canonicalJson } from '../../util/canonical.js';
import { listNames, suggestName } from '../../util/nearest.js';
import type { TaskParts } from './parts.js';
import type { StoredRule } from './place-views.js';

export interface RulesQuestion {
  /** What the rules are called in a request: `autoAssign`. */
  readonly name: string;
  readonly rules: readonly { readonly agent?: string }[];
  /** Those that are stored. One that is written again as it was keeps its agent and its writer. */
  readonly before: readonly StoredRule[];
}

/** Throws `forbidden` without `agents:act` if a rule is new, and `invalid_input` for an unknown agent. */
export async function resolveRules(
  { configurations }: Pick<TaskParts, 'configurations'>,
  principal: Principal,
  { name, rules, before }: RulesQuestion,
): Promise<JsonObject[]> {
  const { agents } = await configurations.getFresh(principal.workspaceId);
  return rules.map((rule, at) => {
    const known = before.find((one) => canonicalJson(saidIn(one)) === canonicalJson(rule));
    if (known) return { ...known } as unknown as JsonObject;
    requirePermission(principal, 'agents:act');
    if (rule.agent === undefined) return { ...rule } as JsonObject;
    const agent = agents.find(({ id, slug }) => id === rule.agent || slug === rule.agent);
    if (!agent)
      throw unknown(`${name}/${at}/agent`, { what: 'agent', name: rule.agent, known: agents.map(({ slug }) => slug) });
    return { ...rule, agent: agent.slug, agentId: agent.id, onBehalfOf: { ...principalRef(principal) } } as JsonObject;
  });
}

const saidIn = ({ agentId: _, onBehalfOf: __, ...rule }: StoredRule): object => rule;

export interface UnknownName {
  readonly what: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** `place`: where the name is in the request. */
export function unknown(place: string, { what, name, known }: UnknownName): HelveError {
  return new HelveError('invalid_input', `${place}: there is no ${what} ${JSON.stringify(name.slice(0, 100))}`, {
    hint: suggestName(name, known, `There are: ${listNames(known)}.`),
  });
}
