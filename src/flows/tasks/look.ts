/**
 * Reads a pull request from GitHub and tells its actor what it does not know yet, because deliveries can be late or
 * lost. The request uses the account and the person of the repository's task source, and only tools that need no
 * approval.
 */
import type { ActorAddress, ActorJob } from '../../domain/actor-host.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import { machines, type PrContext, stateOfChecks } from '../../tasks/index.js';
import { sha256 } from '../../util/hash.js';
import { type GitHubPlace, readGitHubRef } from './github-ref.js';
import { toolFor } from './orders.js';
import { findPullNews, type PullReading, type ReadPull, type ReadReview, type ReadRun } from './pull-facts.js';
import type { SourceParts } from './sources/parts.js';
import { findSourceAccount, findSourcePerson } from './sources/standing.js';
import { stateOf } from './view.js';
import { pages } from './wake.js';

export interface LookParts extends SourceParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
}

interface Looking {
  readonly address: ActorAddress;
  readonly signal: AbortSignal;
}

/** The work `look` of a pull request. It has no event of its own. */
export async function lookAtPullRequest(parts: LookParts, { actor, signal }: ActorJob): Promise<undefined> {
  await look(parts, { address: actor, signal });
}

/**
 * Reads the pull request and returns the state of its checks: `pending`, `success` or `failure`. Undefined if it cannot
 * be read, for example because its repository has no task source; then only deliveries report it.
 */
export async function look(
  parts: LookParts,
  { address, signal }: Looking,
): Promise<ReturnType<typeof stateOfChecks>['state'] | undefined> {
  const place = readGitHubRef(address.id);
  const view = await parts.actors.read(address);
  if (!place || !view) return undefined;
  const read = await findReader(parts, { workspaceId: address.workspaceId, place, signal });
  const reading = read && (await readPull(read, place));
  signal.throwIfAborted();
  if (!reading) return undefined;
  const { snapshot } = view;
  const news = findPullNews(reading, { ...(snapshot.context as unknown as PrContext), state: String(snapshot.value) });
  for (const event of news) {
    const facts = sha256(JSON.stringify([reading.pull.head.sha, reading.pull.updated_at, event]));
    await parts.actors.send(address, event, { id: `look:${facts.slice(0, 32)}` });
  }
  const after = news.reduce((now, event) => machines.pr.transition(now, event)[0], snapshot);
  return stateOfChecks(after.context as unknown as PrContext).state;
}

/** Calls a tool that only reads, with the source's account. Undefined if the call is not allowed or fails. */
type Reader = (tool: string, input: JsonObject) => Promise<unknown>;

interface Wanted {
  readonly workspaceId: string;
  readonly place: GitHubPlace;
  readonly signal: AbortSignal;
}

async function findReader(parts: LookParts, { workspaceId, place, signal }: Wanted): Promise<Reader | undefined> {
  const scopes = [`${place.owner}/${place.repo}`, place.owner].map((scope) => scope.toLowerCase());
  const rank = ({ scope }: { readonly scope: string }) => scopes.indexOf(scope.toLowerCase());
  const all = await parts.storage.workspace(workspaceId).taskSources.list();
  const [source] = all
    .filter((one) => one.provider === 'github' && rank(one) >= 0)
    .toSorted((a, b) => rank(a) - rank(b));
  if (!source) return undefined;
  const person = await findSourcePerson(parts, workspaceId, source);
  if (typeof person === 'string') return undefined;
  const account = await findSourceAccount(parts, person, source);
  if (typeof account === 'string') return undefined;
  return async (name, input) => {
    // Otherwise a person would be asked every few minutes.
    const tool = await toolFor(parts, person, { name, account: account.id, input, isUnasked: true });
    if (tool === undefined) return undefined;
    const result = await parts.call({ principal: person, tool, input, signal });
    return result.ok ? result.output : undefined;
  };
}

async function readPull(read: Reader, { owner, repo, number }: GitHubPlace): Promise<PullReading | undefined> {
  const pull = (await read('get_pull_request', { owner, repo, pull_number: number })) as ReadPull | undefined;
  if (pull === undefined) return undefined;
  const [runs, reviews] = await Promise.all([
    readAll<ReadRun>(read, 'list_check_runs', { list: 'check_runs', input: { owner, repo, ref: pull.head.sha } }),
    readAll<ReadReview>(read, 'list_reviews', { list: 'reviews', input: { owner, repo, pull_number: number } }),
  ]);
  return runs && reviews && { pull, runs, reviews };
}

const perPage = 100;
const maxPages = 5;

async function readAll<Item>(
  read: Reader,
  tool: string,
  { list, input }: { readonly list: string; readonly input: JsonObject },
): Promise<readonly Item[] | undefined> {
  const all: Item[] = [];
  let page: number | undefined = 1;
  for (let count = 0; page !== undefined && count < maxPages; count++) {
    const answer = (await read(tool, { ...input, per_page: perPage, page })) as
      | ({ readonly next_page?: number } & Readonly<Record<string, readonly Item[]>>)
      | undefined;
    if (answer === undefined) return undefined;
    all.push(...(answer[list] ?? []));
    page = answer.next_page;
  }
  return all;
}

/** How often a pull request is read while something waits for it: the work on its issue, or an order to merge it. */
export const lookMs = 600_000;

/** Tells every pull request for which something waits to look. Several processes may do this at once: each looks once in this time. */
export async function tellToLook(parts: Pick<LookParts, 'actors' | 'storage' | 'now'>): Promise<void> {
  const id = `look:${Math.floor(parts.now().getTime() / lookMs)}`;
  for (const { id: workspaceId } of await parts.storage.system.listWorkspaces())
    for await (const { actor, snapshot } of pages((after) =>
      parts.actors.list({ workspaceId, kind: 'pr', state: 'open', ...after }),
    )) {
      const { issue, autoMerge, mergeability } = snapshot.context as unknown as PrContext;
      const isAwaited =
        autoMerge || mergeability.told || (issue !== null && (await isWorkedOn(parts, workspaceId, issue)));
      if (isAwaited) await parts.actors.send(actor, { type: 'LOOK' }, { id });
    }
}

async function isWorkedOn({ actors }: Pick<LookParts, 'actors'>, workspaceId: string, id: string): Promise<boolean> {
  const view = await actors.read({ workspaceId, kind: 'issue', id });
  return view !== undefined && ['executing', 'verifying'].includes(stateOf(view.snapshot.value).state);
}
