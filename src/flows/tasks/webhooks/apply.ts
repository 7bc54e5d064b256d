/**
 * Carries out what a delivery says, for the person of its source. Every step can be done again: rows are written once, and events
 * have ids made of facts of the delivery. So a delivery that comes twice, or that a process died over, does nothing more.
 */

import { principalRef } from '../../../audit/index.js';
import type { ActorAddress, ActorEffect, ActorEvent, ActorSnapshot } from '../../../domain/actor-host.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { TaskSource } from '../../../domain/task-source.js';
import { machines } from '../../../tasks/index.js';
import { startAbove } from '../issues.js';
import type { SourceParts } from '../sources/parts.js';
import { applyIssue } from './apply-issue.js';
import type { News, Place, PullNews } from './news.js';

export interface Received<About extends News = News> {
  /** For whom agents work that are assigned by it. */
  readonly person: Principal;
  readonly source: TaskSource;
  readonly news: About;
}

/** False if nobody here waits for it. */
export async function applyNews(parts: SourceParts, { news, ...received }: Received): Promise<boolean> {
  if (news.about === 'issue') return applyIssue(parts, { ...received, news });
  return applyPull(parts, { ...received, news });
}

async function applyPull(parts: SourceParts, { person, news }: Received<PullNews>): Promise<boolean> {
  const { workspaceId } = person;
  const { place, event, subjects, tell, opens, key } = news;
  let isKnown = false;
  for (const subject of subjects) {
    const address = { workspaceId, kind: 'pr', id: subject.ref } as const;
    const hadActor = (await parts.actors.read(address)) !== undefined;
    if (!hadActor || event !== 'pull_request.opened')
      await tellRepo(parts, { person, place, key: `${key}:${subject.ref}`, received: { event, subject } });
    // A check can be told before its pull request is.
    if (!hadActor && opens) await startAsOpened(parts, { person, place, subject });
    const isThere = (await parts.actors.read(address)) !== undefined;
    if (!isThere) continue;
    isKnown = true;
    for (const [at, one] of tell.entries()) await parts.actors.send(address, one, { id: `${key}:${at}` });
  }
  return isKnown;
}

/** A pull request that is followed as soon as it is opened is followed from its first check on. */
async function startAsOpened(
  parts: SourceParts,
  { person, place, subject }: { readonly person: Principal; readonly place: Place; readonly subject: JsonObject },
): Promise<void> {
  const opened = { type: 'WEBHOOK_RECEIVED', event: 'pull_request.opened', subject };
  await carryOut(parts, person.workspaceId, decide(await readRepo(parts, person.workspaceId, place), opened));
}

interface Told {
  readonly person: Principal;
  readonly place: Place;
  readonly key: string;
  readonly received: { readonly event: string; readonly subject: JsonObject };
}

/** What the repository's rules would do about it. */
export async function askRepo(
  parts: SourceParts,
  { person, place, received }: Omit<Told, 'key'>,
): Promise<readonly ActorEffect[]> {
  return decide(await readRepo(parts, person.workspaceId, place), eventFor(person, received));
}

/** Tells the repository, if one of its rules is about this. What it starts is there afterwards. */
export async function tellRepo(parts: SourceParts, { person, place, key, received }: Told): Promise<boolean> {
  const { workspaceId } = person;
  const event = eventFor(person, received);
  const effects = decide(await readRepo(parts, workspaceId, place), event);
  if (effects.length === 0) return false;
  await startAbove(parts, { workspaceId, ...place });
  await parts.actors.send({ workspaceId, kind: 'repo', id: place.repo }, event, { id: key });
  await carryOut(parts, workspaceId, effects);
  return true;
}

const eventFor = (person: Principal, { event, subject }: Told['received']): ActorEvent => ({
  type: 'WEBHOOK_RECEIVED',
  event,
  subject,
  onBehalfOf: { ...principalRef(person) },
});

async function readRepo({ actors }: SourceParts, workspaceId: string, { repo, org }: Place): Promise<ActorSnapshot> {
  const view = await actors.read({ workspaceId, kind: 'repo', id: repo });
  return view?.snapshot ?? machines.repo.initial({ id: repo, org });
}

const decide = (snapshot: ActorSnapshot, event: ActorEvent): readonly ActorEffect[] =>
  machines.repo.transition(snapshot, event)[1];

/** Starts at once what the repository will start, so that what comes next finds it. */
async function carryOut({ actors }: SourceParts, workspaceId: string, effects: readonly ActorEffect[]): Promise<void> {
  for (const effect of effects)
    if (effect.do === 'start') await actors.start({ workspaceId, ...effect.actor }, effect.input);
}

/** Sends an event that may come again. False if it was accepted before, or there is no such actor any more. */
export async function sendOnce(
  { actors }: SourceParts,
  address: ActorAddress,
  { event, key }: { readonly event: ActorEvent; readonly key: string },
): Promise<boolean> {
  try {
    return await actors.send(address, event, { id: key });
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return false;
    throw error;
  }
}
