/** Issues and comments: the fields that are asked for, and what becomes of them. */
import { z } from 'zod';
import {
  known,
  personFields,
  personShape,
  type RawPerson,
  type RawState,
  type RawTeam,
  stateFields,
  stateShape,
  teamFields,
  teamShape,
  toPerson,
  toState,
  toTeam,
} from './people.js';

export interface RawIssue {
  readonly id: string;
  readonly identifier: string;
  readonly title: string;
  readonly url: string;
  readonly description?: string | null;
  readonly priority: number;
  readonly estimate?: number | null;
  readonly dueDate?: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt?: string | null;
  readonly archivedAt?: string | null;
  readonly state: RawState;
  readonly team: RawTeam;
  readonly assignee?: RawPerson | null;
  readonly creator?: RawPerson | null;
  readonly project?: { readonly id: string; readonly name: string } | null;
  readonly cycle?: { readonly id: string; readonly number: number } | null;
  readonly parent?: { readonly id: string; readonly identifier: string } | null;
  readonly labels: { readonly nodes: readonly { readonly id: string; readonly name: string }[] };
}

/** Issues and what a search finds are of two types with the same fields: no fragment fits both. */
export const issueSummaryFields = `
  id identifier title url priority estimate dueDate createdAt updatedAt completedAt archivedAt
  state { ${stateFields} } team { ${teamFields} } assignee { ${personFields} } project { id name }
  cycle { id number } parent { id identifier } labels(first: 20) { nodes { id name } }`;
export const issueFields = `${issueSummaryFields} description creator { ${personFields} }`;

const named = z.strictObject({ id: z.string(), name: z.string() });

export const issueSummaryShape = z.strictObject({
  id: z.string(),
  identifier: z.string().describe('ENG-123'),
  title: z.string(),
  url: z.string(),
  state: stateShape,
  team: teamShape,
  assignee: personShape.optional(),
  labels: z.array(named),
  priority: z.number().describe('0 none, 1 urgent, 2 high, 3 medium, 4 low'),
  estimate: z.number().optional(),
  due_date: z.string().optional(),
  project: named.optional(),
  cycle: z.strictObject({ id: z.string(), number: z.number() }).optional(),
  parent: z.strictObject({ id: z.string(), identifier: z.string() }).optional(),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().optional(),
  archived_at: z.string().optional(),
});
export const issueShape = issueSummaryShape.extend({
  description: z.string().optional().describe('Markdown'),
  creator: personShape.optional(),
});

export function toIssueSummary(raw: RawIssue): z.input<typeof issueSummaryShape> {
  const { id, identifier, title, url, priority, project, cycle, parent } = raw;
  return {
    id,
    identifier,
    title,
    url,
    priority,
    state: toState(raw.state),
    team: toTeam(raw.team),
    assignee: toPerson(raw.assignee),
    labels: raw.labels.nodes.map((label) => ({ id: label.id, name: label.name })),
    estimate: known(raw.estimate),
    due_date: known(raw.dueDate),
    project: project ? { id: project.id, name: project.name } : undefined,
    cycle: cycle ? { id: cycle.id, number: cycle.number } : undefined,
    parent: parent ? { id: parent.id, identifier: parent.identifier } : undefined,
    created_at: raw.createdAt,
    updated_at: raw.updatedAt,
    completed_at: known(raw.completedAt),
    archived_at: known(raw.archivedAt),
  };
}

export function toIssue(raw: RawIssue): z.input<typeof issueShape> {
  return { ...toIssueSummary(raw), description: known(raw.description), creator: toPerson(raw.creator) };
}

export interface RawComment {
  readonly id: string;
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  readonly editedAt?: string | null;
  readonly user?: RawPerson | null;
  readonly issue?: { readonly id: string; readonly identifier: string } | null;
  readonly parent?: { readonly id: string } | null;
}
export const commentFields = `id body url createdAt editedAt user { ${personFields} } issue { id identifier } parent { id }`;
export const commentShape = z.strictObject({
  id: z.string(),
  body: z.string().describe('Markdown'),
  url: z.string(),
  issue: z.string().optional().describe('ENG-123'),
  user: personShape.optional().describe('Absent for those of integrations'),
  parent_id: z.string().optional().describe('The comment it replies to'),
  created_at: z.string(),
  edited_at: z.string().optional(),
});
export function toComment(raw: RawComment): z.input<typeof commentShape> {
  return {
    id: raw.id,
    body: raw.body,
    url: raw.url,
    issue: raw.issue?.identifier,
    user: toPerson(raw.user),
    parent_id: raw.parent?.id,
    created_at: raw.createdAt,
    edited_at: known(raw.editedAt),
  };
}
