/** Issues, what is said on them and what they are marked with. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { author, loginOf, loginsOf, type RawUser, time } from './people.js';

export interface RawLabel {
  readonly name: string;
  readonly color: string;
  readonly description?: string | null;
}

export interface RawIssue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly state_reason?: string | null;
  readonly html_url: string;
  readonly user: RawUser | null;
  readonly labels: readonly (string | { readonly name?: string | null })[];
  readonly assignees?: readonly RawUser[] | null;
  readonly milestone?: { readonly number: number; readonly title: string } | null;
  readonly comments: number;
  readonly locked?: boolean;
  readonly pull_request?: object;
  readonly repository_url?: string;
  readonly body?: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at?: string | null;
}

export interface RawComment {
  readonly id: number;
  readonly body?: string | null;
  readonly user: RawUser | null;
  readonly html_url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RawMilestone {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly description: string | null;
  readonly due_on: string | null;
  readonly open_issues: number;
  readonly closed_issues: number;
  readonly html_url: string;
}

const summary = {
  number: z.int(),
  title: z.string(),
  state: z.string().describe('open or closed'),
  state_reason: z.string().optional().describe('completed, not_planned, duplicate or reopened'),
  url: z.string(),
  repository: z.string().optional().describe('owner/name'),
  author,
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  milestone: z.strictObject({ number: z.int(), title: z.string() }).optional(),
  comments: z.int(),
  locked: z.boolean().optional(),
  is_pull_request: z.boolean(),
  created_at: time,
  updated_at: time,
  closed_at: time.optional(),
};
export const issueSummaryShape = z.strictObject(summary);
export const issueShape = z.strictObject({ ...summary, body: z.string().optional() });

export function toIssueSummary(raw: RawIssue): z.input<typeof issueSummaryShape> {
  return {
    number: raw.number,
    title: raw.title,
    state: raw.state,
    state_reason: orUndefined(raw.state_reason),
    url: raw.html_url,
    repository: /\/repos\/([^/]+\/[^/]+)$/.exec(raw.repository_url ?? '')?.[1],
    author: loginOf(raw.user),
    labels: raw.labels.flatMap((label) => (typeof label === 'string' ? [label] : label.name ? [label.name] : [])),
    assignees: loginsOf(raw.assignees),
    milestone: raw.milestone ? { number: raw.milestone.number, title: raw.milestone.title } : undefined,
    comments: raw.comments,
    locked: raw.locked,
    is_pull_request: raw.pull_request !== undefined,
    created_at: raw.created_at,
    updated_at: raw.updated_at,
    closed_at: orUndefined(raw.closed_at),
  };
}

export function toIssue(raw: RawIssue): z.input<typeof issueShape> {
  return { ...toIssueSummary(raw), body: orUndefined(raw.body) };
}

export const commentShape = z.strictObject({
  id: z.int(),
  author,
  body: z.string(),
  url: z.string(),
  created_at: time,
  updated_at: time,
});

export function toComment(raw: RawComment): z.input<typeof commentShape> {
  return {
    id: raw.id,
    author: loginOf(raw.user),
    body: raw.body ?? '',
    url: raw.html_url,
    created_at: raw.created_at,
    updated_at: raw.updated_at,
  };
}

export const labelShape = z.strictObject({
  name: z.string(),
  color: z.string().describe('Six hexadecimal digits'),
  description: z.string().optional(),
});

export function toLabel({ name, color, description }: RawLabel): z.input<typeof labelShape> {
  return { name, color, description: orUndefined(description) };
}

export const milestoneShape = z.strictObject({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  description: z.string().optional(),
  due_on: time.optional(),
  open_issues: z.int(),
  closed_issues: z.int(),
  url: z.string(),
});

export function toMilestone({ html_url, description, due_on, ...raw }: RawMilestone): z.input<typeof milestoneShape> {
  const { number, title, state, open_issues, closed_issues } = raw;
  return {
    number,
    title,
    state,
    open_issues,
    closed_issues,
    url: html_url,
    description: orUndefined(description),
    due_on: orUndefined(due_on),
  };
}
