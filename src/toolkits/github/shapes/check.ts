/** What machines say of a commit: check runs, statuses and the runs of Actions. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { author, loginOf, type RawUser, time } from './people.js';

export interface RawCheckRun {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly html_url: string | null;
  readonly details_url: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly app: { readonly slug?: string } | null;
  readonly output?: { readonly title: string | null; readonly summary: string | null };
}

export interface RawStatus {
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
  readonly target_url: string | null;
  readonly updated_at: string;
}

export interface RawWorkflowRun {
  readonly id: number;
  readonly name?: string | null;
  readonly display_title?: string;
  readonly run_number: number;
  readonly run_attempt?: number;
  readonly event: string;
  readonly status: string | null;
  readonly conclusion: string | null;
  readonly head_branch: string | null;
  readonly head_sha: string;
  readonly html_url: string;
  readonly actor?: RawUser | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RawJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly html_url: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly steps?: readonly { readonly name: string; readonly status: string; readonly conclusion: string | null }[];
}

const conclusion = z.string().optional().describe('success, failure, cancelled, skipped…; absent until completed');

export const checkRunShape = z.strictObject({
  id: z.int(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string().describe('queued, in_progress or completed'),
  conclusion,
  app: z.string().optional().describe('Slug of the App that runs it: github-actions'),
  title: z.string().optional(),
  summary: z.string().optional(),
  url: z.string().optional(),
  details_url: z.string().optional(),
  started_at: time.optional(),
  completed_at: time.optional(),
});

export function toCheckRun(raw: RawCheckRun): z.input<typeof checkRunShape> {
  return {
    id: raw.id,
    name: raw.name,
    head_sha: raw.head_sha,
    status: raw.status,
    conclusion: orUndefined(raw.conclusion),
    app: orUndefined(raw.app?.slug),
    title: orUndefined(raw.output?.title),
    summary: orUndefined(raw.output?.summary),
    url: orUndefined(raw.html_url),
    details_url: orUndefined(raw.details_url),
    started_at: orUndefined(raw.started_at),
    completed_at: orUndefined(raw.completed_at),
  };
}

export const statusShape = z.strictObject({
  context: z.string(),
  state: z.string().describe('error, failure, pending or success'),
  description: z.string().optional(),
  target_url: z.string().optional(),
  updated_at: time,
});

export function toStatus(raw: RawStatus): z.input<typeof statusShape> {
  return {
    context: raw.context,
    state: raw.state,
    description: orUndefined(raw.description),
    target_url: orUndefined(raw.target_url),
    updated_at: raw.updated_at,
  };
}

export const workflowRunShape = z.strictObject({
  id: z.int(),
  name: z.string().optional(),
  title: z.string().optional(),
  run_number: z.int(),
  attempt: z.int().optional(),
  event: z.string(),
  status: z.string().optional(),
  conclusion,
  branch: z.string().optional(),
  head_sha: z.string(),
  actor: author,
  url: z.string(),
  created_at: time,
  updated_at: time,
});

export function toWorkflowRun(raw: RawWorkflowRun): z.input<typeof workflowRunShape> {
  return {
    id: raw.id,
    name: orUndefined(raw.name),
    title: raw.display_title,
    run_number: raw.run_number,
    attempt: raw.run_attempt,
    event: raw.event,
    status: orUndefined(raw.status),
    conclusion: orUndefined(raw.conclusion),
    branch: orUndefined(raw.head_branch),
    head_sha: raw.head_sha,
    actor: loginOf(raw.actor),
    url: raw.html_url,
    created_at: raw.created_at,
    updated_at: raw.updated_at,
  };
}

export const jobShape = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion,
  url: z.string().optional(),
  started_at: time.optional(),
  completed_at: time.optional(),
  steps: z.array(z.strictObject({ name: z.string(), status: z.string(), conclusion })),
});

export function toJob(raw: RawJob): z.input<typeof jobShape> {
  return {
    id: raw.id,
    name: raw.name,
    status: raw.status,
    conclusion: orUndefined(raw.conclusion),
    url: orUndefined(raw.html_url),
    started_at: orUndefined(raw.started_at),
    completed_at: orUndefined(raw.completed_at),
    steps: (raw.steps ?? []).map((step) => ({
      name: step.name,
      status: step.status,
      conclusion: orUndefined(step.conclusion),
    })),
  };
}
