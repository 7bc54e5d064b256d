/**
 * Checks a whole set of grants before any of it is written: unknown names are refused, and the hint lists what exists.
 */

import type { Connection } from '../domain/connection.js';
import { HelveError } from '../domain/errors.js';
import type { DoubtfulLimit, GrantInput } from '../domain/grant.js';
import type { JsonSchema } from '../domain/json.js';
import type { Tool } from '../domain/tool.js';
import { closeListed, mayHaveProperty, namedProperties, type SchemaIssue } from '../schema/index.js';
import { canonicalJson } from '../util/canonical.js';
import { defined } from '../util/defined.js';
import { didYouMean, listNames, nearest, suggestName } from '../util/nearest.js';

/** Returns what a toolkit offers, or undefined if there is no such toolkit. */
export type GrantableTools = (toolkit: string) => Promise<
  | {
      readonly tools: readonly Tool[];
      /** Undefined if it needs no account. */
      readonly connections: readonly Connection[] | undefined;
    }
  | undefined
>;

export type IssuesOf = (schema: JsonSchema, value: unknown) => SchemaIssue[];

/**
 * Throws `invalid_input`, naming the grant by its position in the list. A tool in `present` may be granted again
 * although it no longer exists.
 */
export async function checkGrants(
  grants: readonly GrantInput[],
  grantable: GrantableTools,
  issuesOf: IssuesOf,
  present: readonly GrantInput[] = [],
): Promise<void> {
  const targets = new Set<string>();
  for (const [index, grant] of grants.entries()) {
    const place = `grants/${index}`;
    const target = `${grant.toolkit}\n${grant.connectionId ?? ''}`;
    if (targets.has(target))
      throw bad(`${place}: ${grant.toolkit} occurs twice`, 'Put all tools of one toolkit and connection in one grant.');
    targets.add(target);
    const stood = present.find((one) => one.toolkit === grant.toolkit && one.connectionId === grant.connectionId);
    const offered = (await grantable(grant.toolkit)) ?? (stood && { tools: [], connections: undefined });
    if (!offered)
      throw bad(
        `${place}: there is no toolkit ${JSON.stringify(grant.toolkit)}`,
        'Read the names from the grant catalogue.',
      );
    const { tools, connections } = offered;
    if (!stood) checkConnection(place, grant, connections);
    if (grant.tools.length === 0)
      throw bad(`${place}: names no tool`, 'Leave a toolkit without tools out of the list.');
    for (const name of [...grant.tools, ...Object.keys(grant.limits), ...Object.keys(grant.config)]) {
      if (stood?.tools.includes(name)) continue;
      const names = tools.map((tool) => tool.id.name);
      if (!names.includes(name)) throw unknownTool(place, grant.toolkit, name, names);
    }
    for (const schema of Object.values(grant.limits)) issuesOf(schema, {});
    const dead = findDeadLimit(grant, tools, stood?.limits);
    if (dead) throw bad(`${place}/limits/${dead.problem}`, dead.hint);
    checkConfig(place, grant, tools, issuesOf);
  }
}

function checkConnection(
  place: string,
  { toolkit, connectionId }: GrantInput,
  connections: readonly Connection[] | undefined,
): void {
  if (!connections) {
    if (connectionId === undefined) return;
    throw bad(`${place}: ${toolkit} needs no account`, 'Leave connectionId out.');
  }
  const names = connections.map(({ slug }) => slug).join(', ') || 'none yet: connect one first';
  if (connectionId === undefined)
    throw bad(`${place}: ${toolkit} needs an account`, `Say which in connectionId. There are: ${names}.`);
  if (!connections.some(({ id }) => id === connectionId))
    throw bad(`${place}: ${toolkit} has no connection ${JSON.stringify(connectionId)}`, `There are: ${names}.`);
}

/** The limits of a grant on arguments that their tools, which are open, do not list. */
export function findDoubtfulLimits(
  { toolkit, connectionId, limits }: GrantInput,
  tools: readonly Tool[],
): readonly DoubtfulLimit[] {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const tool = tools.find(({ id }) => id.name === name);
    if (!tool) return [];
    const listed = closeListed(tool.inputSchema);
    return namedProperties(limit)
      .filter((argument) => !mayHaveProperty(listed, argument))
      .map((argument) => {
        return { toolkit, tool: name, argument, ...defined({ connectionId, nearest: meantArgument(tool, argument) }) };
      });
  });
}

/** The argument of the tool that was probably meant. */
function meantArgument({ inputSchema, inputAliases = {} }: Tool, argument: string): string | undefined {
  const present = Object.hasOwn(inputAliases, argument) ? inputAliases[argument] : undefined;
  return present ?? nearest(argument, namedProperties(inputSchema));
}

/** A limit on an argument that the tool does not take limits nothing. One that is `stored` may stay. */
function findDeadLimit({ limits }: GrantInput, tools: readonly Tool[], stored: GrantInput['limits'] = {}) {
  for (const [name, limit] of Object.entries(limits)) {
    const tool = tools.find(({ id }) => id.name === name);
    const unknown = tool && namedProperties(limit).find((one) => !mayHaveProperty(tool.inputSchema, one));
    if (tool === undefined || unknown === undefined) continue;
    if (Object.hasOwn(stored, name) && canonicalJson(stored[name]) === canonicalJson(limit)) continue;
    const meant = meantArgument(tool, unknown);
    const hint = didYouMean(meant, `It takes ${listNames(namedProperties(tool.inputSchema))}.`);
    return { problem: `${name}: ${name} takes no argument ${JSON.stringify(unknown)}`, hint };
  }
  return undefined;
}

function checkConfig(place: string, grant: GrantInput, tools: readonly Tool[], issuesOf: IssuesOf): void {
  for (const [name, config] of Object.entries(grant.config)) {
    const tool = tools.find(({ id }) => id.name === name);
    // It no longer exists: tools that were not granted before were refused above.
    if (!tool) continue;
    const schema = tool.configSchema;
    if (!schema) throw bad(`${place}/config/${name}: ${name} takes no tool_config`, 'Remove the entry.');
    const [issue] = issuesOf(schema, config);
    if (issue)
      throw bad(
        `${place}/config/${name}${issue.path === '/' ? '' : issue.path}: ${issue.message}`,
        'Correct the value.',
      );
  }
}

function unknownTool(place: string, toolkit: string, name: string, names: readonly string[]): HelveError {
  return bad(`${place}: ${toolkit} has no tool ${JSON.stringify(name)}`, suggestName(name, names));
}

function bad(message: string, hint: string): HelveError {
  return new HelveError('invalid_input', message, { hint });
}
