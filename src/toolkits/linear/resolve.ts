/** Names made into ids. A name of nothing is answered with what there is; a name of several with which they are. */
import { HelveError } from '../../domain/errors.js';
import type { Linear, Page } from './client.js';

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const isId = (text: string): boolean => uuidPattern.test(text);
const same = (name: string) => ({ eqIgnoreCase: name });
const equal = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
/** As many as a hint can bear. */
const mostNamed = 30;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The only one, or an error that helps. `others` is asked for only when there is none. */
async function only<Found extends Named>(
  what: string,
  name: string,
  found: readonly Found[],
  others: () => Promise<readonly string[]>,
): Promise<Found> {
  const [first, ...more] = found;
  if (first && more.length === 0) return first;
  if (first) {
    const which = found.map((one) => `${one.name} ${one.id}`).join(', ');
    throw new HelveError('invalid_input', `${JSON.stringify(name)} is the name of ${found.length} ${what}s`, {
      hint: `Give the id of the one that is meant: ${which}.`,
    });
  }
  const names = [...new Set(await others())];
  const shown = names.slice(0, mostNamed).join(', ');
  const there =
    names.length === 0 ? `There is no ${what}.` : `There is: ${shown}${names.length > mostNamed ? ', …' : ''}.`;
  throw new HelveError('not_found', `There is no ${what} ${JSON.stringify(name)}`, { hint: there });
}

type List<Node> = Readonly<Record<'found', Page<Node>>>;
const rest = 'pageInfo { hasNextPage endCursor }';

const teamsDocument = `query Teams($filter: TeamFilter) { found: teams(first: 50, filter: $filter) { nodes { id key name } ${rest} } }`;
interface Team extends Named {
  readonly key: string;
}

export async function resolveTeam(linear: Linear, team: string): Promise<string> {
  if (isId(team)) return team;
  const list = async (filter?: object) => (await linear.query<List<Team>>(teamsDocument, { filter })).found.nodes;
  const found = await list({ or: [{ key: same(team) }, { name: same(team) }] });
  const byKey = found.filter(({ key }) => equal(key, team));
  const named = byKey.length > 0 ? byKey : found;
  return (await only('team', team, named, async () => (await list()).map(({ key, name }) => `${key} (${name})`))).id;
}

const usersDocument = `query Users($filter: UserFilter) { found: users(first: 50, filter: $filter) { nodes { id name email } ${rest} } }`;
const viewerDocument = 'query Me { viewer { id } }';

export async function resolvePerson(linear: Linear, person: string): Promise<string> {
  if (isId(person)) return person;
  if (person === 'me') return (await linear.query<{ viewer: { id: string } }>(viewerDocument)).viewer.id;
  const list = async (filter?: object) =>
    (await linear.query<List<Named & { email: string }>>(usersDocument, { filter })).found.nodes;
  const matches = { or: [{ email: same(person) }, { name: same(person) }, { displayName: same(person) }] };
  const found = await list(matches);
  return (await only('user', person, found, async () => (await list()).map(({ name, email }) => `${name} <${email}>`)))
    .id;
}

const statesDocument = `query States($filter: WorkflowStateFilter) { found: workflowStates(first: 100, filter: $filter) { nodes { id name type } ${rest} } }`;

/** Each team has its own states. */
export async function resolveState(linear: Linear, state: string, teamId: string): Promise<string> {
  if (isId(state)) return state;
  const filter = { team: { id: { eq: teamId } } };
  const { nodes } = (await linear.query<List<Named>>(statesDocument, { filter })).found;
  const found = nodes.filter(({ name }) => equal(name, state));
  return (await only('workflow state', state, found, async () => nodes.map(({ name }) => name))).id;
}

const labelsDocument = `query Labels($filter: IssueLabelFilter) { found: issueLabels(first: 100, filter: $filter) { nodes { id name team { id } } ${rest} } }`;
interface Label extends Named {
  readonly team?: { readonly id: string } | null;
}

/** Those of the team and those of the whole workspace; of two with one name the team's. */
export async function resolveLabels(linear: Linear, labels: readonly string[], teamId: string): Promise<string[]> {
  const names = labels.filter((label) => !isId(label));
  if (names.length === 0) return [...labels];
  const list = async (filter?: object) => {
    const { nodes } = (await linear.query<List<Label>>(labelsDocument, { filter })).found;
    return nodes.filter(({ team }) => !team || team.id === teamId);
  };
  const all = await list({ or: names.map((name) => ({ name: same(name) })) });
  const ids: string[] = [];
  for (const label of labels) {
    if (isId(label)) ids.push(label);
    else {
      const found = all.filter(({ name }) => equal(name, label));
      const own = found.filter(({ team }) => team);
      const chosen = own.length > 0 ? own : found;
      ids.push((await only('label', label, chosen, async () => (await list()).map(({ name }) => name))).id);
    }
  }
  return ids;
}

const projectsDocument = `query Projects($filter: ProjectFilter) { found: projects(first: 50, filter: $filter) { nodes { id name } ${rest} } }`;

export async function resolveProject(linear: Linear, project: string): Promise<string> {
  if (isId(project)) return project;
  const list = async (filter?: object) => (await linear.query<List<Named>>(projectsDocument, { filter })).found.nodes;
  const found = await list({ or: [{ name: same(project) }, { slugId: { eq: project } }] });
  return (await only('project', project, found, async () => (await list()).map(({ name }) => name))).id;
}

const statusesDocument = `query ProjectStatuses { found: projectStatuses(first: 100) { nodes { id name type } ${rest} } }`;

export async function resolveProjectStatus(linear: Linear, status: string): Promise<string> {
  if (isId(status)) return status;
  const { nodes } = (await linear.query<List<Named>>(statusesDocument)).found;
  const found = nodes.filter(({ name }) => equal(name, status));
  return (await only('project status', status, found, async () => nodes.map(({ name }) => name))).id;
}

const issueDocument = 'query IssueId($id: String!) { issue(id: $id) { id team { id } } }';

/** By identifier or id: its id and that of its team. */
export async function resolveIssue(linear: Linear, issue: string): Promise<{ id: string; teamId: string }> {
  const { issue: found } = await linear.query<{ issue: { id: string; team: { id: string } } }>(issueDocument, {
    id: issue,
  });
  return { id: found.id, teamId: found.team.id };
}
