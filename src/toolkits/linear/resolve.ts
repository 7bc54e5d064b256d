/** Finds ids by name. An unknown name is an error that lists the known ones; an ambiguous name one that lists the ids. */
import { HelveError } from '../../domain/errors.js';
import type { Linear } from './client.js';
import { isId } from './inputs.js';

const same = (name: string) => ({ eqIgnoreCase: name });
const equal = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
/** In one hint. */
const mostNamed = 30;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Search<Found> {
  readonly what: string;
  readonly name: string;
  readonly found: readonly Found[];
  /** Asked for only if nothing was found. */
  readonly others: () => Promise<readonly Found[]> | readonly Found[];
  readonly show?: (one: Found) => string;
}

/** Returns the id of the only one that was found. */
async function requireOne<Found extends Named>(search: Search<Found>): Promise<string> {
  const { what, name, found, others, show = (one: Found) => one.name } = search;
  const [first, ...more] = found;
  if (first && more.length === 0) return first.id;
  if (first) {
    const which = found.map((one) => `${one.name} ${one.id}`).join(', ');
    throw new HelveError('invalid_input', `${JSON.stringify(name)} is the name of ${found.length} ${what}s`, {
      hint: `Give the id of the intended one: ${which}.`,
    });
  }
  const names = [...new Set((await others()).map(show))];
  const shown = names.slice(0, mostNamed).join(', ');
  const there =
    names.length === 0 ? `There is no ${what}.` : `Available: ${shown}${names.length > mostNamed ? ', …' : ''}.`;
  throw new HelveError('not_found', `There is no ${what} ${JSON.stringify(name)}`, { hint: there });
}

async function list<Node = Named>(linear: Linear, document: string, filter?: object): Promise<readonly Node[]> {
  return (await linear.query<{ found: { nodes: readonly Node[] } }>(document, { filter })).found.nodes;
}

const teamsDocument =
  'query Teams($filter: TeamFilter) { found: teams(first: 50, filter: $filter) { nodes { id key name } } }';

export async function resolveTeam(linear: Linear, team: string): Promise<string> {
  if (isId(team)) return team;
  const listTeams = (filter?: object) => list<Named & { key: string }>(linear, teamsDocument, filter);
  const found = await listTeams({ or: [{ key: same(team) }, { name: same(team) }] });
  const byKey = found.filter(({ key }) => equal(key, team));
  return requireOne({
    what: 'team',
    name: team,
    found: byKey.length > 0 ? byKey : found,
    others: listTeams,
    show: ({ key, name }) => `${key} (${name})`,
  });
}

const usersDocument =
  'query Users($filter: UserFilter) { found: users(first: 50, filter: $filter) { nodes { id name email } } }';
const viewerDocument = 'query Me { viewer { id } }';

export async function resolvePerson(linear: Linear, person: string): Promise<string> {
  if (isId(person)) return person;
  if (person === 'me') return (await linear.query<{ viewer: { id: string } }>(viewerDocument)).viewer.id;
  const listUsers = (filter?: object) => list<Named & { email: string }>(linear, usersDocument, filter);
  const found = await listUsers({
    or: [{ email: same(person) }, { name: same(person) }, { displayName: same(person) }],
  });
  const show = ({ name, email }: { name: string; email: string }) => `${name} <${email}>`;
  return requireOne({ what: 'user', name: person, found, others: listUsers, show });
}

const statesDocument =
  'query States($filter: WorkflowStateFilter) { found: workflowStates(first: 100, filter: $filter) { nodes { id name } } }';

/** Each team has its own states. */
export async function resolveState(linear: Linear, state: string, teamId: string): Promise<string> {
  if (isId(state)) return state;
  const states = await list(linear, statesDocument, { team: { id: { eq: teamId } } });
  const found = states.filter(({ name }) => equal(name, state));
  return requireOne({ what: 'workflow state', name: state, found, others: () => states });
}

const labelsDocument =
  'query Labels($filter: IssueLabelFilter) { found: issueLabels(first: 100, filter: $filter) { nodes { id name team { id } } } }';
interface Label extends Named {
  readonly team?: { readonly id: string } | null;
}

/** Among the labels of the team and those of the whole workspace. If both have one of that name, the team's is chosen. */
export async function resolveLabels(linear: Linear, labels: readonly string[], teamId: string): Promise<string[]> {
  const names = labels.filter((label) => !isId(label));
  if (names.length === 0) return [...labels];
  const listLabels = async (filter?: object) =>
    (await list<Label>(linear, labelsDocument, filter)).filter(({ team }) => !team || team.id === teamId);
  const all = await listLabels({ or: names.map((name) => ({ name: same(name) })) });
  const ids: string[] = [];
  for (const label of labels) {
    if (isId(label)) ids.push(label);
    else {
      const found = all.filter(({ name }) => equal(name, label));
      const own = found.filter(({ team }) => team);
      ids.push(
        await requireOne({ what: 'label', name: label, found: own.length > 0 ? own : found, others: listLabels }),
      );
    }
  }
  return ids;
}

/**
 * For a search that found nothing: throws `not_found` if there is no such state or label anywhere. Several teams may have
 * one of the same name.
 */
export async function requireAny(linear: Linear, what: 'workflow state' | 'label', name: string): Promise<void> {
  if (isId(name)) return;
  const document = what === 'label' ? labelsDocument : statesDocument;
  const [found] = await list(linear, document, { name: same(name) });
  if (found === undefined) await requireOne({ what, name, found: [], others: () => list(linear, document) });
}

const projectsDocument =
  'query Projects($filter: ProjectFilter) { found: projects(first: 50, filter: $filter) { nodes { id name } } }';

export async function resolveProject(linear: Linear, project: string): Promise<string> {
  if (isId(project)) return project;
  const found = await list(linear, projectsDocument, {
    or: [{ name: same(project) }, { slugId: { eq: project } }],
  });
  return requireOne({ what: 'project', name: project, found, others: () => list(linear, projectsDocument) });
}

const statusesDocument = 'query ProjectStatuses { found: projectStatuses(first: 100) { nodes { id name } } }';

export async function resolveProjectStatus(linear: Linear, status: string): Promise<string> {
  if (isId(status)) return status;
  const statuses = await list(linear, statusesDocument);
  const found = statuses.filter(({ name }) => equal(name, status));
  return requireOne({ what: 'project status', name: status, found, others: () => statuses });
}

const issueDocument = 'query IssueId($id: String!) { issue(id: $id) { id team { id } } }';

/** Finds an issue by its identifier or id. */
export async function resolveIssue(linear: Linear, id: string): Promise<{ id: string; teamId: string }> {
  const { issue } = await linear.query<{ issue: { id: string; team: { id: string } } }>(issueDocument, { id });
  return { id: issue.id, teamId: issue.team.id };
}
