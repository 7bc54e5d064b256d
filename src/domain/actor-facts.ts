/** What actors are found by: where they belong, and who works on them. It follows from their context. */
import type { ActorSnapshot } from './actor-host.js';
import type { JsonValue } from './json.js';

/** Null where the actor says nothing. */
export interface ActorFacts {
  readonly org: string | null;
  readonly repo: string | null;
  readonly project: string | null;
  /** Slug or id of the agent that works on it. */
  readonly agent: string | null;
  /** Id of the person or key for whom the agent works. */
  readonly person: string | null;
}

export function factsOf({ context }: ActorSnapshot): ActorFacts {
  const { org, repo, project, agent, assignment } = context;
  return {
    org: textOrNull(org),
    repo: textOrNull(repo),
    project: textOrNull(project),
    agent: textOrNull(agent),
    person: textOrNull(member(member(assignment, 'onBehalfOf'), 'id')),
  };
}

/** Most events leave them as they are. */
export function changedFacts(before: ActorSnapshot, after: ActorSnapshot): ActorFacts | undefined {
  const [old, now] = [factsOf(before), factsOf(after)];
  const isSame =
    old.org === now.org &&
    old.repo === now.repo &&
    old.project === now.project &&
    old.agent === now.agent &&
    old.person === now.person;
  return isSame ? undefined : now;
}

const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [name: string]: JsonValue })[name];
}
