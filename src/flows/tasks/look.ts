/**
 * Reads a pull request from GitHub and tells its actor what it does not know yet, because deliveries can be late or
 * lost. The request uses the account and the person of the repository's task source, and only tools that need no
 * approval.
 */
import type { ActorAddress, ActorJob } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { machines, type PrContext, stateOfChecks } from '../../tasks/index.js';
import { sha256 } from '../../util/hash.js';
import { findPullNews, type PullReading, type ReadPull, type ReadReview, type ReadRun } from './pull-facts.js';
import { type GitHubPlace, readGitHubPlace } from './repo-name.js';
import { findReader, type Reader, type ReadingParts, sourceOf } from './sources/reader.js';
import { stateOf } from './view.js';
import { pages } from './wake.js';
import { placeOf } from './webhooks/github-shapes.js';
import { followRepo } from './webhooks/repo-rules.js';

interface Looking {
  readonly address: ActorAddress;
  readonly signal: AbortSignal;
}

/** The work `look` of a pull request. It has no event of its own. */
export async function lookAtPullRequest(parts: ReadingParts, { actor, signal }: ActorJob): Promise<undefined> {
  await look(parts, { address: actor, signal });
}

/**
 * Reads the pull request and returns the state of its checks: `pending`, `success` or `failure`. Undefined if it cannot
 * be read, for example because its repository has no task source; then only deliveries report it.
 */
export async function look(
  parts: ReadingParts,
  { address, signal }: Looking,
): Promise<ReturnType<typeof stateOfChecks>['state'] | undefined> {
  const place = readGitHubPlace(address.id);
  const view = await parts.actors.read(address);
  if (!place || !view) return undefined;
  const found = await findReader(parts, {
    workspaceId: address.workspaceId,
    repo: `github:${place.owner}/${place.repo}`,
    signal,
  });
  const reading = found && (await readPull(found.read, place));
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

/**
 * How often a repository with a task source is read, and a pull request while something waits for it: the work on its issue, or an order to
 * merge it.
 */
export const lookMs = 600_000;

type TellingParts = Pick<ReadingParts, 'actors' | 'storage' | 'now'>;

/**
 * Tells every pull request for which something waits to look, and every repository to catch up. Several processes may do this at once: each
 * looks once in this time.
 */
export async function tellToLook(parts: TellingParts): Promise<void> {
  const id = `look:${Math.floor(parts.now().getTime() / lookMs)}`;
  for (const { id: workspaceId } of await parts.storage.system.listWorkspaces()) {
    await tellRepositories(parts, workspaceId, id);
    await tellPullRequests(parts, workspaceId, id);
  }
}

async function tellRepositories({ actors, storage }: TellingParts, workspaceId: string, id: string): Promise<void> {
  const sources = await storage.workspace(workspaceId).taskSources.list();
  if (sources.every(({ provider }) => provider === 'trigger')) return;
  // Such a repository is known before its first delivery, which may be lost.
  for (const { provider, scope } of sources)
    if (provider === 'github' && scope.includes('/'))
      await followRepo({ actors }, workspaceId, placeOf({ full_name: scope }));
  for await (const { actor } of pages((after) => actors.list({ workspaceId, kind: 'repo', ...after })))
    if (sourceOf(sources, actor.id)) await actors.send(actor, { type: 'CATCH_UP' }, { id });
}

async function tellPullRequests(parts: TellingParts, workspaceId: string, id: string): Promise<void> {
  for await (const { actor, snapshot } of pages((after) =>
    parts.actors.list({ workspaceId, kind: 'pr', state: 'open', ...after }),
  )) {
    const { issue, autoMerge, mergeability } = snapshot.context as unknown as PrContext;
    const isAwaited =
      autoMerge || mergeability.told || (issue !== null && (await isWorkedOn(parts, workspaceId, issue)));
    if (isAwaited) await parts.actors.send(actor, { type: 'LOOK' }, { id });
  }
}

async function isWorkedOn({ actors }: Pick<ReadingParts, 'actors'>, workspaceId: string, id: string): Promise<boolean> {
  const view = await actors.read({ workspaceId, kind: 'issue', id });
  return view !== undefined && ['executing', 'verifying'].includes(stateOf(view.snapshot.value).state);
}
