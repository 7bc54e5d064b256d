/**
 * The work `merge` of a pull request: merges it through the bundled tools of GitHub and the pipeline, as whoever ordered it. GitHub merges
 * once; when it is not known whether this has happened, the pull request is read first.
 */
import type { ActorEvent, ActorJob } from '../../domain/actor-host.js';
import { HelveError } from '../../domain/errors.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import { defined } from '../../util/defined.js';
import { findOrderer, mergeTool, type StoredOrder, toolFor } from './orders.js';
import type { TaskParts } from './parts.js';
import { readGitHubPlace } from './repo-name.js';

export interface MergeParts extends TaskParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
}

interface Merging {
  readonly principal: Principal;
  readonly account: string;
  readonly place: { readonly owner: string; readonly repo: string; readonly pull_number: number };
  readonly signal: AbortSignal;
}

export async function mergePullRequest(parts: MergeParts, job: ActorJob): Promise<ActorEvent> {
  const { pr, head, order } = job.input as { pr: string; head: string | null; order: StoredOrder | null };
  const found = readGitHubPlace(pr);
  if (!found) return failed(`${pr} is not a pull request of GitHub, and only those can be merged`);
  if (!order) return failed('It is not known who ordered the merge, so there is no account to merge it with');
  const principal = await findOrderer(parts, job.actor.workspaceId, order);
  if (typeof principal === 'string') return failed(principal);
  const { owner, repo, number } = found;
  const place = { owner, repo, pull_number: number };
  const merging = { principal, account: order.account, place, signal: job.signal };
  // An earlier attempt may have merged it, and its process may have ended before it could say so.
  if (job.attempt > 1 && (await isMerged(parts, merging))) return { type: 'MERGED' };
  const result = await call(parts, merging, { name: mergeTool, more: defined({ sha: head ?? undefined }) });
  if (typeof result === 'string') return failed(result);
  if (result.ok) return { type: 'MERGED' };
  if (await isMerged(parts, merging)) return { type: 'MERGED' };
  const { code, message, retryable } = result.error;
  // The host tries again after a pause.
  if (retryable && code !== 'approval_required') throw new HelveError(code, message);
  // Not all who may read this may see the account, which the name of the tool names.
  return failed(`${code}: ${message.replaceAll(result.tool, mergeTool)}`);
}

const failed = (error: string): ActorEvent => ({ type: 'MERGE_FAILED', error });

/** False also if nobody can tell. */
async function isMerged(parts: MergeParts, merging: Merging): Promise<boolean> {
  const result = await call(parts, merging, { name: 'get_pull_request', more: {} });
  if (typeof result === 'string' || !result.ok) return false;
  return (result.output as { readonly merged?: boolean } | null)?.merged === true;
}

/** Returns the reason if the person who gave the order may not call the tool. Throws if the work is stopped. */
async function call(
  parts: MergeParts,
  { principal, account, place, signal }: Merging,
  { name, more }: { readonly name: string; readonly more: { readonly sha?: string } },
): Promise<ToolResult | string> {
  const tool = await toolFor(parts, principal, { name, account });
  if (tool === undefined) return `${principal.name} may not call ${name} with the account that was named`;
  const result = await parts.call({ principal, tool, input: { ...place, ...more }, signal });
  signal.throwIfAborted();
  return result;
}
