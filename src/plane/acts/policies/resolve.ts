/**
 * Resolves the names in a policy when it is written: the stored policy identifies the tool and the agent, so that the
 * rule follows them and not a spelling. A name that matches nothing is refused, since its rule would apply to no call.
 */

import { HelveError } from '../../../domain/errors.js';
import type { Policy, PolicyWithoutEffect, WorkspaceConfiguration } from '../../../domain/grant.js';
import type { Tool } from '../../../domain/tool.js';
import type { Catalogue } from '../../../flows/calling/index.js';
import { namesTool } from '../../../policies/index.js';
import { canonicalJson } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { createLookup } from '../../../util/lookup.js';
import { didYouMean, nearest } from '../../../util/nearest.js';
import { findDeadArgument } from './dead-arguments.js';
import type { KnownNames } from './known-names.js';

type Agents = WorkspaceConfiguration['agents'];

export interface NameQuestion {
  readonly known: KnownNames;
  readonly catalogue: Catalogue;
  readonly agents: Agents;
  /** From the slug of each account to its toolkit. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The stored policies: an existing name may stay, although its tool no longer exists. */
  readonly before: readonly Policy[];
}

/** Throws `invalid_input` with the location and the nearest name. */
export function resolvePolicy(policy: Policy, index: number, question: NameQuestion): Policy {
  const { agents, toolkits, tools, ...rest } = policy.when;
  const place = (part: string, at: number): string => `policies/${index}/when/${part}/${at}`;
  const stood = (part: 'agents' | 'toolkits' | 'tools', name: string): boolean =>
    question.before.some(({ effect, when }) => effect === policy.effect && when[part]?.includes(name));
  const resolved: Policy = {
    ...policy,
    when: {
      ...(agents && {
        agents: agents.map((name, at) => {
          const id = findAgent(name, question.agents)?.id ?? (stood('agents', name) ? name : undefined);
          if (id !== undefined) return id;
          throw nothing(place('agents', at), 'agent', name, nearestAgent(name, question.agents));
        }),
      }),
      ...(toolkits && {
        toolkits: toolkits.map((slug, at) => {
          if (question.known.toolkits.has(slug) || stood('toolkits', slug)) return slug;
          throw nothing(place('toolkits', at), 'toolkit', slug, nearestToolkit(slug, question.known));
        }),
      }),
      ...(tools && {
        tools: [
          ...new Set(
            tools.flatMap((text, at) => {
              const found = toolNames(text, policy, place('tools', at), question);
              if (found.length > 0) return found;
              if (stood('tools', text)) return [text];
              throw nothing(place('tools', at), 'tool', text, question.known.nearestTool(text));
            }),
          ),
        ],
      }),
      ...rest,
    },
  };
  refuseDeadArgument(resolved, index, question);
  return resolved;
}

/** A rule that is stored may stay, although its tools no longer take the argument. */
function refuseDeadArgument(policy: Policy, index: number, { known, before }: NameQuestion): void {
  const dead = findDeadArgument(policy, known, (tool) => isSpokenOf(tool, policy));
  const shape = canonicalJson(policy.when.arguments ?? {});
  if (
    dead === undefined ||
    dead.isDoubtful ||
    before.some(({ when }) => when.arguments && canonicalJson(when.arguments) === shape)
  )
    return;
  const { name, nearest: meant } = dead;
  throw new HelveError('invalid_input', `policies/${index}/when/arguments: ${noArgument(name)}`, {
    hint: didYouMean(meant, 'Look at the schemas of the tools.'),
    details: { name: name.slice(0, 100), ...defined({ nearest: meant }) },
  });
}

const noArgument = (name: string): string =>
  `none of the tools of the rule takes the argument ${JSON.stringify(name.slice(0, 100))}`;

/** The stored form of a text: identities, a wildcard, or the text itself if its tool does not exist yet. */
function toolNames(text: string, { effect }: Policy, place: string, question: NameQuestion): readonly string[] {
  const { known, catalogue } = question;
  if (text.includes('*')) return isWildcard(text, known) ? [text] : [];
  const called = catalogue.find(text);
  if (effect === 'allow' && called?.connectionId !== undefined && called.name === text) {
    const { toolkit, name } = called.tool.id;
    throw new HelveError('invalid_input', `${place}: ${text} names one account, and a policy is for every account`, {
      hint: `To allow it for all of them, write ${toolkit}.${name}.`,
    });
  }
  const found = known.toolsOf(text).map(({ toolkit, name }) => `${toolkit}.${name}`);
  return found.length > 0 ? found : unreadNames(text, effect, question);
}

/**
 * For a tool that cannot be read at present. A name with an account is stored as the tool: the rule applies to every
 * account, so it would never match by account.
 */
function unreadNames(text: string, effect: Policy['effect'], { known, accounts }: NameQuestion): readonly string[] {
  const [slug = '', ...rest] = text.split('__');
  const toolkit = accounts.get(slug);
  if (effect !== 'allow' && rest.length > 0 && toolkit !== undefined && known.unread.has(toolkit))
    return [`${toolkit}.${rest.join('__')}`];
  return known.unreadToolkitOf(text) === undefined ? [] : [text];
}

function isWildcard(text: string, { toolkits, tools }: KnownNames): boolean {
  if (text === '*') return true;
  if (text.endsWith('.*')) return toolkits.has(text.slice(0, -2));
  return text.startsWith('*.') && tools.some(({ id }) => id.name === text.slice(2));
}

/** Replaces agent ids with slugs. A removed agent stays an id. */
export function withAgentSlugs(policy: Policy, agents: Agents): Policy {
  const named = policy.when.agents?.map((id) => findAgent(id, agents)?.slug ?? id);
  return named === undefined ? policy : { ...policy, when: { ...policy.when, agents: named } };
}

/** The parts of a stored policy that currently match no call. */
export function withoutEffect(
  policy: Policy,
  { known, agents }: Pick<NameQuestion, 'known' | 'agents'>,
): PolicyWithoutEffect[] {
  const { when, id, effect } = policy;
  const dead = (path: string, message: string, meant?: string): PolicyWithoutEffect => ({
    policy: id,
    path,
    message,
    ...defined({ nearest: meant }),
  });
  const names = [
    ...(when.agents ?? []).flatMap((name, at) =>
      findAgent(name, agents) ? [] : [dead(`when/agents/${at}`, absent('agent', name), nearestAgent(name, agents))],
    ),
    ...(when.toolkits ?? []).flatMap((slug, at) =>
      known.toolkits.has(slug)
        ? []
        : [dead(`when/toolkits/${at}`, absent('toolkit', slug), nearestToolkit(slug, known))],
    ),
    ...(when.tools ?? []).flatMap((name, at) =>
      known.isNamed(name, effect)
        ? []
        : [dead(`when/tools/${at}`, deadTool(name, effect, known), meantBy(name, known))],
    ),
  ];
  if (names.length > 0) return names;
  for (const part of ['agents', 'toolkits', 'tools', 'risk'] as const)
    if (when[part]?.length === 0) return [dead(`when/${part}`, 'The list is empty, so that no call matches it')];
  const isNamed = when.toolkits !== undefined || when.tools !== undefined;
  const maySay = known.hasToolLike(when, (tool) => isSpokenOf(tool, policy));
  const isUnread = (when.toolkits ?? []).some((slug) => known.unread.has(slug));
  if (isNamed && !maySay && !isUnread) return [dead('when', 'No tool meets all of its conditions')];
  const argument = findDeadArgument(policy, known, (tool) => isSpokenOf(tool, policy));
  if (argument === undefined) return [];
  const { name, nearest: meant, isDoubtful } = argument;
  if (!isDoubtful) return [dead('when/arguments', capitalise(noArgument(name)), meant)];
  const doubt = `None of the tools of the rule lists the argument ${JSON.stringify(name.slice(0, 100))}, although they may take it`;
  return [{ ...dead('when/arguments', doubt, meant), doubtful: true }];
}

const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function isSpokenOf({ id, risk }: Tool, { when, effect }: Policy): boolean {
  if (when.toolkits && !when.toolkits.includes(id.toolkit)) return false;
  if (when.risk && !when.risk.includes(risk)) return false;
  return when.tools === undefined || when.tools.some((name) => namesTool(name, id, effect));
}

function deadTool(name: string, effect: Policy['effect'], known: KnownNames): string {
  const toolkit = known.unreadToolkitOf(name);
  if (toolkit !== undefined) return `The tools of ${toolkit} cannot be read yet`;
  const forms = effect === 'allow' ? known.toolsOf(name) : [];
  if (forms.length > 0) return `${JSON.stringify(name)} is not the name by which a policy allows a tool`;
  return absent('tool', name);
}

function meantBy(name: string, known: KnownNames): string | undefined {
  const [first] = known.toolsOf(name);
  return first ? `${first.toolkit}.${first.name}` : known.nearestTool(name);
}

function findAgent(idOrSlug: string, agents: Agents): Agents[number] | undefined {
  return agentsById(agents, idOrSlug)[0] ?? agentsBySlug(agents, idOrSlug)[0];
}

const agentsById = createLookup(({ id }: Agents[number]) => id);
const agentsBySlug = createLookup(({ slug }: Agents[number]) => slug);

function nearestAgent(name: string, agents: Agents): string | undefined {
  return nearest(
    name.trim(),
    agents.map(({ slug }) => slug),
  );
}

function nearestToolkit(slug: string, { toolkits }: KnownNames): string | undefined {
  return nearest(slug.trim(), [...toolkits.keys()]);
}

function absent(kind: 'agent' | 'toolkit' | 'tool', name: string): string {
  return `There is no ${kind} ${JSON.stringify(name.slice(0, 100))}`;
}

function nothing(place: string, kind: 'agent' | 'toolkit' | 'tool', name: string, meant?: string): HelveError {
  return new HelveError('invalid_input', `${place}: ${absent(kind, name).replace('There', 'there')}`, {
    hint: didYouMean(meant, `Write the name of ${kind === 'agent' ? 'an' : 'a'} ${kind} that exists.`),
    details: { name: name.slice(0, 100), ...defined({ nearest: meant }) },
  });
}
