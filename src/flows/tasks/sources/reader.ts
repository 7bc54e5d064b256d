/** Reads from a service with the account and for the person of a task source, only with tools that need no approval. */
import type { CallRequest, ToolResult } from '../../../domain/execution.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { TaskSource } from '../../../domain/task-source.js';
import { toolFor } from '../orders.js';
import { readRepoName } from '../repo-name.js';
import type { SourceParts } from './parts.js';
import { findSourceAccount, findSourcePerson } from './standing.js';

export interface ReadingParts extends SourceParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
}

/** Calls a tool that only reads, with the source's account. Undefined if the call is not allowed or fails. */
export type Reader = (tool: string, input: JsonObject) => Promise<unknown>;

interface Wanted {
  readonly workspaceId: string;
  /** `github:acme/shop`, `linear:acme/ENG`. */
  readonly repo: string;
  readonly signal: AbortSignal;
}

interface Found {
  readonly source: TaskSource;
  readonly person: Principal;
  readonly read: Reader;
}

/**
 * The task source of a repository of GitHub or a team of Linear: one for itself, or else one for its owner or organisation. Undefined if
 * there is neither.
 */
export function sourceOf(sources: readonly TaskSource[], repo: string): TaskSource | undefined {
  const { service, owner = '', name = '' } = readRepoName(repo) ?? {};
  const scopes = [service === 'github' ? `${owner}/${name}` : name, owner].map((scope) => scope.toLowerCase());
  const rank = ({ scope }: TaskSource) => scopes.indexOf(scope.toLowerCase());
  const covering = sources.filter((one) => one.provider === service && rank(one) >= 0);
  return covering.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Undefined if no source covers the repository, or the one that does has lost its person or its account. */
export async function findReader(
  parts: ReadingParts,
  { workspaceId, repo, signal }: Wanted,
): Promise<Found | undefined> {
  const source = sourceOf(await parts.storage.workspace(workspaceId).taskSources.list(), repo);
  if (!source) return undefined;
  const person = await findSourcePerson(parts, workspaceId, source);
  if (typeof person === 'string') return undefined;
  const account = await findSourceAccount(parts, person, source);
  if (typeof account === 'string') return undefined;
  const read: Reader = async (name, input) => {
    // Otherwise a person would be asked every few minutes.
    const wanted = { toolkit: source.provider, name, account: account.id, input, isUnasked: true };
    const tool = await toolFor(parts, person, wanted);
    if (tool === undefined) return undefined;
    const result = await parts.call({ principal: person, tool, input, signal });
    return result.ok ? result.output : undefined;
  };
  return { source, person, read };
}
