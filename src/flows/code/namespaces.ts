/**
 * The objects through which a program reaches its tools: `workGithub.createIssue`. There is one for each connection, and
 * one for each toolkit without accounts. While there is only one connection to a toolkit, the toolkit's own name means
 * that connection too.
 */
import type { NamespaceInfo } from '../../domain/code-acts.js';
import type { JsonSchema } from '../../domain/json.js';
import { slugify, toIdentifier, toNamespace } from '../../domain/naming/index.js';
import type { Tool } from '../../domain/tool.js';
import { accountFacts } from '../../util/acting-account.js';
import type { Reach, ReachedTool } from '../finding/index.js';
import { personNamespace } from './person.js';

export interface Namespace extends Omit<NamespaceInfo, 'tools'> {
  /** By their identifiers: `createIssue`. */
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member extends ReachedTool {
  /** What it was seen to answer, if it does not say so itself. */
  readonly learnedOutput?: JsonSchema;
}

/** By name, without aliases; sorted. The names do not depend on the order of the tools. */
export function createNamespaces({
  entries,
  connections,
}: Pick<Reach, 'entries' | 'connections'>): Map<string, Namespace> {
  const groups = new Map<string, ReachedTool[]>();
  for (const entry of entries) {
    // Toolkits come first, so that a connection named like one does not take its name.
    const key =
      entry.connectionId === undefined ? `0 ${entry.tool.id.toolkit}` : `1 ${entry.slug} ${entry.connectionId}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
  const accounts = countAccounts(sorted);
  const made = new Map<string, Namespace>();
  for (const group of sorted) {
    const [first] = group;
    if (first === undefined) continue;
    const { connectionId, slug = first.tool.id.toolkit, toolkitTitle = first.tool.id.toolkit, tool } = first;
    const name = freeName(connectionId === undefined ? nameToolkit(tool.id.toolkit) : toNamespace(slug), made);
    const account = connectionId === undefined ? undefined : connections.get(connectionId);
    const facts = { toolkit: tool.id.toolkit, title: toolkitTitle, ...accountFacts(account) };
    made.set(name, { name, ...facts, members: nameMembers(group) });
  }
  return new Map([...made].map(([name, one]) => [name, withAlias(one, made, accounts)]));
}

/** `keyValue` for `key_value`. */
export const nameToolkit = (toolkit: string): string => toNamespace(slugify(toolkit));

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  let name = wanted;
  while (taken.has(name) || name === personNamespace.namespace) name += '$';
  return name;
}

/** By toolkit: how many connections have tools of it. */
function countAccounts(groups: readonly (readonly ReachedTool[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [first] of groups) {
    if (first?.connectionId === undefined) continue;
    const { toolkit } = first.tool.id;
    counts.set(toolkit, (counts.get(toolkit) ?? 0) + 1);
  }
  return counts;
}

function withAlias(one: Namespace, made: ReadonlyMap<string, Namespace>, accounts: ReadonlyMap<string, number>) {
  const alias = nameToolkit(one.toolkit);
  return one.connection === undefined || accounts.get(one.toolkit) !== 1 || made.has(alias) ? one : { ...one, alias };
}

/** Keeps the members whose identifiers are among the words; if none is, the first one, as an empty namespace is no value. */
export function keepMembers(one: Namespace, words: ReadonlySet<string>): Namespace {
  const kept = [...one.members].filter(([identifier]) => words.has(identifier));
  return { ...one, members: new Map(kept.length > 0 ? kept : [...one.members].slice(0, 1)) };
}

/** The namespace with these outputs of its tools. */
export function withOutputs(one: Namespace, outputs: ReadonlyMap<Tool, JsonSchema>): Namespace {
  const members = [...one.members].map(([identifier, member]): [string, Member] => {
    const learnedOutput = outputs.get(member.tool);
    return [identifier, learnedOutput ? { ...member, learnedOutput } : member];
  });
  return { ...one, members: new Map(members) };
}

function nameMembers(entries: readonly ReachedTool[]): Map<string, ReachedTool> {
  const members = new Map<string, ReachedTool>();
  for (const entry of entries) {
    const { name, toolkit } = entry.tool.id;
    const own = toIdentifier(name, 'name');
    // Tools of several toolkits may act with one account.
    members.set(members.has(own) ? toIdentifier(`${toolkit}_${name}`, 'name') : own, entry);
  }
  return new Map([...members].sort(([one], [other]) => (one < other ? -1 : 1)));
}
