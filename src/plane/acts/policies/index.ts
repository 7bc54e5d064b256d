/** Policies: reading them, finding those without effect, and replacing them. */

import { HelveError } from '../../../domain/errors.js';
import type { Policy, PolicySet, PolicyWithoutEffect } from '../../../domain/grant.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import type { PlaneParts } from '../../../flows/parts.js';
import { changedSince, draft, freshCatalogue, requireVersion } from '../../../flows/workspaces/index.js';
import { schemaIssues } from '../../../schema/index.js';
import { canonicalJson } from '../../../util/canonical.js';
import { createSlices } from '../../../util/slices.js';
import { knownNames } from './known-names.js';
import { type NameQuestion, resolvePolicy, withAgentSlugs, withoutEffect } from './resolve.js';

const turnMs = 5;

export function policyActs(parts: PlaneParts): Pick<Plane, 'policies' | 'replacePolicies'> {
  const { storage } = parts;
  return {
    async policies(principal) {
      return policySet(parts, principal);
    },
    async replacePolicies(principal, list, ifMatch) {
      const resolved = await resolvePolicies(parts, principal, list);
      const row = draft('policies.replaced', principal, parts.now(), {
        policies: resolved.map((policy) => ({ ...policy })) as unknown as JsonObject[],
      });
      const { workspaceId } = principal;
      await changedSince(parts, workspaceId, async ({ policies, policyVersion, revision }) => {
        requireVersion(ifMatch, String(policyVersion), () => differences(policies, resolved));
        await storage.workspace(workspaceId).change([row], (tables) => tables.replacePolicies(resolved), revision);
      });
      return policySet(parts, principal);
    },
  };
}

/** As they would be stored. Throws `invalid_input` for a name that matches nothing, an id that occurs twice, and a wrong schema. */
export async function resolvePolicies(
  parts: PlaneParts,
  principal: Principal,
  list: readonly Policy[],
): Promise<readonly Policy[]> {
  checkPolicies(list);
  const question = await namesFor(parts, principal, list);
  return list.map((policy, index) => resolvePolicy(policy, index, question));
}

async function policySet(parts: PlaneParts, principal: Principal): Promise<PolicySet> {
  const { policies, policyVersion } = await parts.configurations.getFresh(principal.workspaceId);
  const question = await namesFor(parts, principal, policies);
  const dead: PolicyWithoutEffect[] = [];
  const slices = createSlices(turnMs);
  for (const policy of policies) {
    dead.push(...withoutEffect(policy, question));
    await slices.rest();
  }
  return {
    version: policyVersion,
    policies: policies.map((policy) => withAgentSlugs(policy, question.agents)),
    withoutEffect: dead,
  };
}

async function namesFor(
  parts: PlaneParts,
  { workspaceId }: Principal,
  policies: readonly Policy[],
): Promise<NameQuestion> {
  const { configuration, catalogue } = await freshCatalogue(parts, workspaceId);
  const texts = policies.flatMap(({ when }) => [...(when.tools ?? []), ...(when.toolkits ?? [])]);
  const known = await knownNames(parts.registry, { catalogue, workspaceId }, texts);
  const { agents, connections, policies: before } = configuration;
  const accounts = new Map(connections.map(({ slug, toolkit }) => [slug, toolkit]));
  return { known, catalogue, agents, accounts, before };
}

/** The present policies that differ from what was sent. */
function differences(present: readonly Policy[], sent: readonly Policy[]): readonly string[] {
  const others = new Map(sent.map((policy) => [policy.id, policy]));
  const found = present.flatMap((policy) => {
    const other = others.get(policy.id);
    others.delete(policy.id);
    if (!other) return [`the policy ${policy.id} exists`];
    return canonicalJson(policy) === canonicalJson(other)
      ? []
      : [`the policy ${policy.id} is ${canonicalJson(policy)}`];
  });
  return [...found, ...[...others.keys()].map((id) => `the policy ${id} does not exist`)];
}

function checkPolicies(list: readonly Policy[]): void {
  const ids = new Set<string>();
  for (const [index, policy] of list.entries()) {
    if (ids.has(policy.id))
      throw new HelveError('invalid_input', `policies/${index}: the id ${JSON.stringify(policy.id)} occurs twice`, {
        hint: 'Give each policy a different id.',
      });
    ids.add(policy.id);
    // A schema that does not compile must be refused now, not during a call.
    if (policy.when.arguments) schemaIssues(policy.when.arguments, {});
  }
}
