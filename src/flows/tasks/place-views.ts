/** Organisations, repositories, projects and pull requests as their readers see them. */
import type { ActorView } from '../../domain/actor-host.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { AssignRule, BoardRule, PlaceKind, PlaceViews } from '../../domain/place-acts.js';
import type { PrincipalRef } from '../../domain/principal.js';

type Listed = Omit<ActorView, 'timers' | 'work' | 'events'>;

/** Without the facts that are shown only for a single place. */
export function placeView<Kind extends PlaceKind>(kind: Kind, actor: Listed): PlaceViews[Kind] {
  const { snapshot, version, createdAt, updatedAt } = actor;
  const facts = { id: actor.actor.id, state: snapshot.value, createdAt, updatedAt, version };
  return { ...facts, ...details[kind](snapshot.context) } as unknown as PlaceViews[Kind];
}

const details: Readonly<Record<PlaceKind, (context: JsonObject) => object>> = {
  org({ connectedApps, limits, billing, period, running, waiting }) {
    const used = { ...(billing as JsonObject), ...present({ period }) };
    return { connectedApps, limits: present(limits as JsonObject), billing: used, running, waiting };
  },
  repo({ org, project, autoAssign, triggers }) {
    return { ...present({ org, project }), autoAssign: rulesOf(autoAssign), triggers };
  },
  project({ org, workflow, columns, automation, maxRunning, closed, running, waiting }) {
    const shown = { workflow, columns, automation: rulesOf(automation), closed, running, waiting };
    return { ...present({ org, maxRunning }), ...shown };
  },
  pr({
    repo,
    issue,
    head,
    draft,
    review,
    requiredApprovals,
    checks,
    requiredChecks,
    autoMerge,
    mergeability,
    ...orders
  }) {
    const found = mergeability as JsonObject;
    const order = (found.told ? orders.order : autoMerge ? orders.autoMergeOrder : null) as
      | JsonObject
      | null
      | undefined;
    return {
      ...present({ repo, issue, head, mergedFor: order?.by }),
      draft,
      review,
      requiredApprovals,
      checks,
      requiredChecks,
      autoMerge,
      mergeability: present(found),
    };
  },
};

export interface StoredRule {
  readonly agent?: string;
  readonly agentId?: string;
  readonly onBehalfOf?: PrincipalRef;
}

const rulesOf = (rules: JsonValue | undefined) =>
  (rules as unknown as readonly StoredRule[]).map(({ agentId: _, ...rule }) => rule as AssignRule | BoardRule);

/** Machines use null where readers see no field. */
function present(members: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, JsonValue] => entry[1] !== null && entry[1] !== undefined,
    ),
  );
}
