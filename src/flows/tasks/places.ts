/** Organisations, repositories, projects and pull requests: what is asked of their actors, and what they are told. */
import type { ActorAddress, ActorEvent, ActorView } from '../../domain/actor-host.js';
import type { AuditEventType } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { PlaceActs, PlaceChildren, PlaceKind, PlaceViews, ProjectView } from '../../domain/place-acts.js';
import type { Principal } from '../../domain/principal.js';
import { machines } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { draft } from '../workspaces/index.js';
import { makeOrder } from './orders.js';
import type { TaskParts } from './parts.js';
import { unknown } from './place-rules.js';
import { updatePlace } from './place-updates.js';
import { placeView } from './place-views.js';
import { sendTo } from './send.js';

export function createPlaces(parts: TaskParts): PlaceActs {
  const getPlace: PlaceActs['getPlace'] = async (principal, kind, id) =>
    describe(parts, kind, await readPlace(parts, principal, { kind, id }));
  return {
    async listPlaces({ workspaceId }, kind, query = {}) {
      const { actors, next } = await parts.actors.list({ ...query, workspaceId, kind });
      return { places: actors.map((actor) => placeView(kind, actor)), ...defined({ next }) };
    },
    getPlace,
    async updatePlace(principal, place, changes) {
      const { id, notice } = await updatePlace(parts, principal, { ...place, changes });
      return { ...(await getPlace(principal, place.kind, id)), ...defined({ notice }) };
    },
    async moveCard(principal, project, { issue, column }) {
      const { snapshot } = await readPlace(parts, principal, { kind: 'project', id: project });
      const columns = snapshot.context.columns as unknown as ProjectView['columns'];
      if (!columns.some(({ issues }) => issues.includes(issue)))
        throw new HelveError('conflict', `The issue ${JSON.stringify(issue.slice(0, 100))} is not on this board`, {
          hint: 'Only open issues of the project are. Read the project for its columns.',
        });
      const names = columns.map(({ name }) => name);
      if (!names.includes(column)) throw unknown('column', { what: 'column', name: column, known: names });
      const event = { type: 'CARD_MOVED', issue, column };
      await tell(parts, principal, {
        kind: 'project',
        id: project,
        event,
        type: 'card.moved',
        body: { issue, column },
      });
      return getPlace(principal, 'project', project);
    },
    async mergePullRequest(principal, id, { whenReady = false, account } = {}) {
      const { snapshot } = await readPlace(parts, principal, { kind: 'pr', id });
      const order = await makeOrder(parts, principal, account);
      const event = { type: 'MERGE', whenReady, order };
      const [next] = machines.pr.transition(snapshot, event);
      if (JSON.stringify(next) === JSON.stringify(snapshot)) {
        const { why } = snapshot.context.mergeability as { why: readonly string[] };
        throw new HelveError('conflict', `It cannot be merged: ${why.join('; ') || `it is ${snapshot.value}`}`);
      }
      await tell(parts, principal, { kind: 'pr', id, event, type: 'merge.ordered', body: { whenReady } });
      return getPlace(principal, 'pr', id);
    },
    async callOffMerge(principal, id) {
      const { snapshot } = await readPlace(parts, principal, { kind: 'pr', id });
      const { told } = snapshot.context.mergeability as { told: boolean };
      if (snapshot.value !== 'open' || !told)
        throw new HelveError('conflict', 'It was not set to be merged when it is ready', {
          hint: 'To stop a merge by autoMerge, send autoMerge: false.',
        });
      await tell(parts, principal, { kind: 'pr', id, event: { type: 'MERGE_CALLED_OFF' }, type: 'merge.called_off' });
      return getPlace(principal, 'pr', id);
    },
    async startBillingPeriod(principal, id) {
      const { snapshot } = await readPlace(parts, principal, { kind: 'org', id });
      const event = { type: 'BILLING_PERIOD_STARTED' };
      const body = { used: snapshot.context.billing as JsonObject };
      await tell(parts, principal, { kind: 'org', id, event, type: 'billing_period.started', body });
      return getPlace(principal, 'org', id);
    },
  };
}

interface Telling {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly event: ActorEvent;
  /** The row of the record. */
  readonly type: AuditEventType;
  readonly body?: JsonObject;
}

async function tell(parts: TaskParts, principal: Principal, { kind, id, event, type, body }: Telling): Promise<void> {
  const { workspaceId } = principal;
  await parts.journal.append({ workspaceId, events: [draft(type, principal, parts.now(), { kind, id, ...body })] });
  await sendTo(parts, { workspaceId, kind, id }, event);
}

const names: Readonly<Record<PlaceKind, string>> = {
  org: 'organisation',
  repo: 'repository',
  project: 'project',
  pr: 'pull request',
};

/** Throws `not_found`. */
async function readPlace(
  { actors }: TaskParts,
  { workspaceId }: Principal,
  place: Omit<ActorAddress, 'workspaceId' | 'kind'> & { readonly kind: PlaceKind },
): Promise<ActorView> {
  const { kind, id } = place;
  const found = await actors.read({ workspaceId, kind, id });
  if (found) return found;
  throw new HelveError('not_found', `There is no ${names[kind]} ${JSON.stringify(String(id).slice(0, 100))}`, {
    hint:
      kind === 'pr'
        ? 'Pull requests appear with the webhooks of their repository.'
        : 'It appears with the first issue that is filed there, or with its first change.',
  });
}

/** With the facts that are shown only for a single place. */
async function describe<Kind extends PlaceKind>(
  { storage }: TaskParts,
  kind: Kind,
  actor: ActorView,
): Promise<PlaceViews[Kind]> {
  const { workspaceId, id } = actor.actor;
  const workspace = storage.workspace(workspaceId);
  const view = placeView(kind, actor);
  if (kind === 'pr') return view;
  const children: Record<string, Record<string, number>> = {};
  for (const found of await workspace.actors.countWithin({ [kind]: id }))
    children[found.kind] = { ...children[found.kind], [found.state]: found.count };
  if (kind === 'project') {
    const { columns } = view as unknown as ProjectView;
    const issues = await workspace.issues.listById(columns.flatMap((column) => column.issues).slice(0, 1_000));
    const titles = Object.fromEntries(issues.map((issue) => [issue.id, issue.title]));
    return { ...view, children: children as PlaceChildren, titles };
  }
  const tools = (await workspace.issues.findConfig(kind as 'org' | 'repo', id))?.config ?? {};
  return { ...view, children: children as PlaceChildren, [kind === 'org' ? 'defaultTools' : 'toolConfig']: tools };
}
