/** How Linear's counterpart finds, creates and changes objects. */
import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { fits, type Stored } from './filter.js';
import { ids } from './furnish.js';
import { type Kind, kindIn, missing, type Row, time, type Workspace } from './workspace.js';

interface Arguments {
  readonly id: string;
  readonly input: Stored;
  readonly filter?: unknown;
  readonly first?: number;
  readonly after?: string;
  readonly includeArchived?: boolean;
}
interface Source {
  readonly $ref: { readonly key: string; readonly typeName: string };
}

export function createResolvers(workspace: Workspace) {
  return { Query: queries(workspace), Mutation: mutations(workspace), ...fields(workspace) };
}

function queries({ table, get, connection, reference }: Workspace) {
  const comments = (issue: Row) => [...table('Comment').values()].filter((row) => (row.issue as Row).id === issue.id);
  const list = (kind: Kind) => (_: unknown, given: Arguments) =>
    connection(
      kind,
      [...table(kind).values()].filter(
        (row) =>
          (given.includeArchived || !row.archivedAt) &&
          fits(kind === 'Issue' ? { ...row, comments: comments(row) } : row, given.filter),
      ),
      given,
    );
  const one = (kind: Kind) => (_: unknown, given: Arguments) => reference(kind, get(kind, given.id));
  return {
    issues: list('Issue'),
    issue: one('Issue'),
    comment: one('Comment'),
    teams: list('Team'),
    team: one('Team'),
    workflowStates: list('WorkflowState'),
    workflowState: one('WorkflowState'),
    users: list('User'),
    user: one('User'),
    viewer: () => reference('User', get('User', ids.ada)),
    issueLabels: list('IssueLabel'),
    issueLabel: one('IssueLabel'),
    cycles: list('Cycle'),
    projects: list('Project'),
    project: one('Project'),
    projectStatuses: list('ProjectStatus'),
  };
}

const done = { success: true, lastSyncId: 1 };

function mutations(workspace: Workspace) {
  const { table, get, put, reference } = workspace;
  const create =
    (kind: Kind, field: string) =>
    (_: unknown, { input }: Arguments) => {
      const made: Row = { id: randomUUID(), ...defaultsFor(workspace, kind), ...related(workspace, kind, input) };
      if (table(kind).has(made.id)) {
        const extensions = { code: 'INPUT_ERROR', type: 'invalid input' };
        throw new GraphQLError(`conflict on insert of ${kind}`, { extensions });
      }
      return { ...done, [field]: reference(kind, put(kind, made)) };
    };
  const update =
    (kind: Kind, field: string) =>
    (_: unknown, { id, input }: Arguments) => {
      const before = get(kind, id);
      const { addedLabelIds = [], removedLabelIds = [], ...plain } = input as Record<string, string[]>;
      const kept = ((before.labels ?? []) as Row[]).filter((label) => !removedLabelIds.includes(label.id));
      const labels = [...kept, ...addedLabelIds.map((label) => get('IssueLabel', label))];
      const after = put(kind, { ...before, labels, ...related(workspace, kind, plain), id: before.id });
      return { ...done, [field]: reference(kind, after) };
    };
  return {
    issueCreate: create('Issue', 'issue'),
    issueUpdate: update('Issue', 'issue'),
    commentCreate: create('Comment', 'comment'),
    commentUpdate: update('Comment', 'comment'),
    projectCreate: create('Project', 'project'),
    projectUpdate: update('Project', 'project'),
    issueLabelCreate: create('IssueLabel', 'issueLabel'),
    issueArchive: (_: unknown, { id }: Arguments) => {
      return { ...done, entity: reference('Issue', put('Issue', { ...get('Issue', id), archivedAt: time })) };
    },
    commentDelete: (_: unknown, { id }: Arguments) => {
      if (!table('Comment').delete(id)) throw missing('Comment');
      return { ...done, entityId: id };
    },
  };
}

/** The fields of a new object that its input leaves out. */
function defaultsFor({ table, get }: Workspace, kind: Kind): Stored {
  const user = get('User', ids.ada);
  if (kind === 'Comment') return { url: 'https://linear.app/c', user, parent: null, editedAt: null };
  if (kind === 'IssueLabel') return { color: '#bec2c8', description: null, isGroup: false, parent: null, team: null };
  const none = { description: '', content: null, startDate: null, targetDate: null, lead: null, priority: 0 };
  if (kind === 'Project')
    return { ...none, url: 'https://linear.app/p', progress: 0, status: get('ProjectStatus', ids.planned) };
  return {
    identifier: `ENG-${table('Issue').size + 1}`,
    url: 'https://linear.app/x',
    state: get('WorkflowState', ids.todo),
    priority: 0,
    labels: [],
    creator: user,
    assignee: null,
    project: null,
    cycle: null,
    parent: null,
    description: null,
    estimate: null,
    dueDate: null,
    completedAt: null,
  };
}

const lists: Readonly<Record<string, readonly [field: string, kind: Kind]>> = {
  labelIds: ['labels', 'IssueLabel'],
  teamIds: ['teams', 'Team'],
};

/** Replaces ids in an input by rows: `stateId` by `state`. */
function related({ get }: Workspace, owner: Kind, input: Stored): Stored {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      const list = lists[field];
      if (list) return [list[0], (value as string[]).map((one) => get(list[1], one))];
      const name = field.replace(/Id$/, '');
      const kind = name === field ? undefined : kindIn(owner, name);
      return kind ? [name, value === null ? null : get(kind, value)] : [field, value];
    }),
  );
}

/** Lists inside objects. */
function fields({ table, get, connection, reference }: Workspace) {
  const inside = (kind: Kind, owner: Kind, field: string) => (source: Source) =>
    connection(kind, (get(owner, source.$ref.key)[field] ?? []) as Row[]);
  const owned = (kind: Kind, field: string) => (source: Source, given: Arguments) =>
    connection(
      kind,
      [...table(kind).values()].filter(
        (row) => (row[field] as Row | null)?.id === source.$ref.key && fits(row, given.filter),
      ),
      given,
    );
  return {
    Issue: {
      labels: inside('IssueLabel', 'Issue', 'labels'),
      comments: owned('Comment', 'issue'),
      history: owned('IssueHistory', 'issue'),
    },
    IssueHistory: {
      addedLabels: (source: Source) =>
        (get('IssueHistory', source.$ref.key).addedLabels as Row[] | null)?.map((row) => reference('IssueLabel', row)),
    },
    Project: { teams: inside('Team', 'Project', 'teams') },
    Team: { states: owned('WorkflowState', 'team') },
    // The store cannot tell the type behind an interface.
    Node: { __resolveType: ({ $ref }: Source) => $ref.typeName },
  };
}
