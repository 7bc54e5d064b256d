/** Reads from GitHub with the account and for the person of a task source, only with tools that need no approval. */
import type { CallRequest, ToolResult } from '../../../domain/execution.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { TaskSource } from '../../../domain/task-source.js';
import type { GitHubRepo } from '../github-ref.js';
import { toolFor } from '../orders.js';
import type { SourceParts } from './parts.js';
import { findSourceAccount, findSourcePerson } from './standing.js';

export interface ReadingParts extends SourceParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
}

/** Calls a tool that only reads, with the source's account. Undefined if the call is not allowed or fails. */
export type Reader = (tool: string, input: JsonObject) => Promise<unknown>;

interface Wanted {
  readonly workspaceId: string;
  readonly place: GitHubRepo;
  readonly signal: AbortSignal;
}

interface Found {
  readonly source: TaskSource;
  readonly person: Principal;
  readonly read: Reader;
}

/** The task source of the repository: one for the repository itself, or else one for its owner. Undefined if there is neither. */
export function sourceOf(sources: readonly TaskSource[], { owner, repo }: GitHubRepo): TaskSource | undefined {
  const scopes = [`${owner}/${repo}`, owner].map((scope) => scope.toLowerCase());
  const rank = ({ scope }: TaskSource) => scopes.indexOf(scope.toLowerCase());
  const covering = sources.filter((one) => one.provider === 'github' && rank(one) >= 0);
  return covering.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Undefined if no source covers the repository, or the one that does has lost its person or its account. */
export async function findReader(
  parts: ReadingParts,
  { workspaceId, place, signal }: Wanted,
): Promise<Found | undefined> {
  const source = sourceOf(await parts.storage.workspace(workspaceId).taskSources.list(), place);
  if (!source) return undefined;
  const person = await findSourcePerson(parts, workspaceId, source);
  if (typeof person === 'string') return undefined;
  const account = await findSourceAccount(parts, person, source);
  if (typeof account === 'string') return undefined;
  const read: Reader = async (name, input) => {
    // Otherwise a person would be asked every few minutes.
    const tool = await toolFor(parts, person, { name, account: account.id, input, isUnasked: true });
    if (tool === undefined) return undefined;
    const result = await parts.call({ principal: person, tool, input, signal });
    return result.ok ? result.output : undefined;
  };
  return { source, person, read };
}
