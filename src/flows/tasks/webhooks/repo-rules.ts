/** Applies the rules of a repository to a delivery, and passes each delivery on once. */
import { principalRef } from '../../../audit/index.js';
import type { ActorAddress, ActorEffect, ActorEvent, ActorSnapshot } from '../../../domain/actor-host.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { TaskSource } from '../../../domain/task-source.js';
import { machines } from '../../../tasks/index.js';
import { startAbove } from '../issues.js';
import type { SourceParts } from '../sources/parts.js';
import type { News, Place } from './news.js';

export interface Received<About extends News = News> {
  /** The person of the source, for whom the assigned agents work. */
  readonly person: Principal;
  readonly source: TaskSource;
  readonly news: About;
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

/** Tells the repository if one of its rules matches. Everything that it starts exists afterwards. */
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

/** From now on the repository is told to catch up, also if nothing is filed there yet. */
export async function followRepo(
  { actors }: Pick<SourceParts, 'actors'>,
  workspaceId: string,
  { repo, org }: Place,
): Promise<void> {
  const address = { workspaceId, kind: 'repo', id: repo } as const;
  if (!(await actors.read(address))) await actors.start(address, { id: repo, org });
}

export async function readRepo(
  { actors }: SourceParts,
  workspaceId: string,
  { repo, org }: Place,
): Promise<ActorSnapshot> {
  const view = await actors.read({ workspaceId, kind: 'repo', id: repo });
  return view?.snapshot ?? machines.repo.initial({ id: repo, org });
}

export const decide = (snapshot: ActorSnapshot, event: ActorEvent): readonly ActorEffect[] =>
  machines.repo.transition(snapshot, event)[1];

/** Starts at once what the repository will start, so that what comes next finds it. */
export async function carryOut(
  { actors }: SourceParts,
  workspaceId: string,
  effects: readonly ActorEffect[],
): Promise<void> {
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
