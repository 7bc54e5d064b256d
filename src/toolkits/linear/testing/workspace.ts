/** The data of Linear's counterpart: rows for filters, and the same in the mock store, which invents unset fields. */
import type { IMockStore } from '@graphql-tools/mock';
import { GraphQLError } from 'graphql';
import type { Stored } from './filter.js';

export type Row = Stored & { readonly id: string };
export type Kind = (typeof kindNames)[number];
const kindNames = [
  ...(['Team', 'User', 'WorkflowState', 'IssueLabel', 'Project'] as const),
  ...(['ProjectStatus', 'Cycle', 'Issue', 'IssueHistory', 'Comment', 'Organization'] as const),
] as const;

export const time = '2026-01-05T09:00:00.000Z';

const kinds: Readonly<Record<string, Kind>> = {
  team: 'Team',
  assignee: 'User',
  creator: 'User',
  user: 'User',
  lead: 'User',
  state: 'WorkflowState',
  parent: 'Issue',
  project: 'Project',
  status: 'ProjectStatus',
  cycle: 'Cycle',
  issue: 'Issue',
  organization: 'Organization',
  fromState: 'WorkflowState',
  toState: 'WorkflowState',
};

/** The parent of a comment is a comment; that of an issue is an issue. */
export const kindIn = (owner: Kind, field: string): Kind | undefined =>
  owner === 'Comment' && field === 'parent' ? 'Comment' : kinds[field];

export type Workspace = ReturnType<typeof createWorkspace>;

export function createWorkspace(store: IMockStore) {
  const tables = new Map(kindNames.map((kind) => [kind, new Map<string, Row>()]));
  const table = (kind: Kind) => tables.get(kind) as Map<string, Row>;
  const find = (kind: Kind, wanted: unknown): Row | undefined =>
    [...table(kind).values()].find((row) => row.id === wanted || (kind === 'Issue' && row.identifier === wanted));
  const reference = (kind: Kind, row: Row): unknown => store.get(kind, row.id);

  function get(kind: Kind, wanted: unknown): Row {
    const row = find(kind, wanted);
    if (!row) throw missing(kind);
    return row;
  }

  /** Rows in fields become references into the store; resolvers serve the lists. */
  function put(kind: Kind, row: Row): Row {
    const merged = { ...find(kind, row.id), createdAt: time, updatedAt: time, archivedAt: null, ...row };
    table(kind).set(row.id, merged);
    for (const [field, value] of Object.entries<unknown>(merged)) {
      if (Array.isArray(value)) continue;
      const other = kindIn(kind, field);
      store.set(kind, row.id, field, other && value !== null ? reference(other, value as Row) : value);
    }
    return merged;
  }

  function connection(
    kind: Kind,
    rows: readonly Row[],
    { first = 50, after }: { first?: number; after?: string } = {},
  ) {
    const from = after === undefined ? 0 : rows.findIndex((row) => row.id === after) + 1;
    const shown = rows.slice(from, from + first);
    const pageInfo = {
      hasNextPage: from + first < rows.length,
      endCursor: shown.at(-1)?.id ?? null,
      hasPreviousPage: from > 0,
      startCursor: shown[0]?.id ?? null,
    };
    return { nodes: shown.map((row) => reference(kind, row)), edges: [], pageInfo };
  }

  return { table, get, put, connection, reference };
}

export function missing(kind: Kind): GraphQLError {
  const userPresentableMessage = `Could not find referenced ${kind}.`;
  const extensions = { code: 'INPUT_ERROR', type: 'invalid input', userPresentableMessage };
  return new GraphQLError(`Entity not found: ${kind}`, { extensions });
}
