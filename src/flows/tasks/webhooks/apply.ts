/**
 * Carries out what a delivery says, for the person of its source. Every step can be done again: rows are written once, and events
 * have ids made of facts of the delivery. So a delivery that comes twice, or that a process died over, does nothing more.
 */

import type { JsonObject } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { SourceParts } from '../sources/parts.js';
import { applyIssue } from './apply-issue.js';
import type { Place, PullNews } from './news.js';
import { carryOut, decide, type Received, readRepo, tellRepo } from './repo-rules.js';

/** False if nobody here waits for it. */
export async function applyNews(parts: SourceParts, { news, ...received }: Received): Promise<boolean> {
  if (news.about === 'issue') return applyIssue(parts, { ...received, news });
  return applyPull(parts, { ...received, news });
}

async function applyPull(parts: SourceParts, { person, ...received }: Received<PullNews>): Promise<boolean> {
  const { workspaceId } = person;
  const { place, event, subjects, tell, opens, key } = await withoutForeign(parts, workspaceId, received.news);
  let isKnown = false;
  for (const subject of subjects) {
    const address = { workspaceId, kind: 'pr', id: subject.ref } as const;
    const hadActor = (await parts.actors.read(address)) !== undefined;
    if (!hadActor || event !== 'pull_request.opened')
      await tellRepo(parts, { person, place, key: `${key}:${subject.ref}`, received: { event, subject } });
    // A check can be reported before its pull request.
    if (!hadActor && opens) await startAsOpened(parts, { person, place, subject });
    const isThere = (await parts.actors.read(address)) !== undefined;
    if (!isThere) continue;
    isKnown = true;
    for (const [at, one] of tell.entries()) await parts.actors.send(address, one, { id: `${key}:${at}` });
  }
  return isKnown;
}

/** A pull request can name an issue that was filed here or at Linear, but not one that is worked on in other repositories: see `findIssue`. */
async function withoutForeign(parts: SourceParts, workspaceId: string, news: PullNews): Promise<PullNews> {
  const issue = news.subjects[0]?.issue;
  if (typeof issue !== 'string' || (await mayName(parts, { workspaceId, place: news.place, issue }))) return news;
  const subjects = news.subjects.map((subject) => ({ ...subject, issue: null }));
  return { ...news, subjects, tell: news.tell.filter(({ type }) => type !== 'CONFIGURED') };
}

interface Naming {
  readonly workspaceId: string;
  readonly place: Place;
  readonly issue: string;
}

async function mayName(parts: SourceParts, { workspaceId, place, issue }: Naming): Promise<boolean> {
  if (!issue.startsWith('linear:')) {
    const { repo = place.repo } = (await parts.storage.workspace(workspaceId).issues.find(issue)) ?? {};
    return repo === place.repo;
  }
  // A team of Linear has no code: an issue of a project is worked on in the repositories of this project, any other in those of none.
  const view = await parts.actors.read({ workspaceId, kind: 'issue', id: issue });
  const { context: own } = await readRepo(parts, workspaceId, place);
  return view?.snapshot.context.project === own.project;
}

/** If pull requests are followed from their opening, this one is followed from its first check on. */
async function startAsOpened(
  parts: SourceParts,
  { person, place, subject }: { readonly person: Principal; readonly place: Place; readonly subject: JsonObject },
): Promise<void> {
  const opened = { type: 'WEBHOOK_RECEIVED', event: 'pull_request.opened', subject };
  await carryOut(parts, person.workspaceId, decide(await readRepo(parts, person.workspaceId, place), opened));
}
