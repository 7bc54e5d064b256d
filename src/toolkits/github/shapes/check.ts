/** What programs report about a commit: check runs, statuses and the runs of Actions. */
import { z } from 'zod';
import { defineRecord, from, listFrom, orElse } from '../../../util/record.js';
import { authorFrom, optionalUrl, time, url } from './people.js';

const conclusion = z.string().optional().describe('success, failure, cancelled, skipped…; absent until completed');

export const checkRunRecord = defineRecord({
  id: z.int(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string().describe('queued, in_progress or completed'),
  conclusion,
  app: from('app.slug', z.string().optional().describe('Slug of the App that runs it: github-actions')),
  title: from('output.title', z.string().optional()),
  summary: from('output.summary', z.string().optional()),
  url: optionalUrl,
  details_url: z.string().optional(),
  started_at: time.optional(),
  completed_at: time.optional(),
});

export const statusRecord = defineRecord({
  context: z.string(),
  state: z.string().describe('error, failure, pending or success'),
  description: z.string().optional(),
  target_url: z.string().optional(),
  updated_at: time,
});

export const workflowRunRecord = defineRecord({
  id: z.int(),
  name: z.string().optional(),
  title: from('display_title', z.string().optional()),
  run_number: z.int(),
  attempt: from('run_attempt', z.int().optional()),
  event: z.string(),
  status: z.string().optional(),
  conclusion,
  branch: from('head_branch', z.string().optional()),
  head_sha: z.string(),
  actor: authorFrom('actor'),
  url,
  created_at: time,
  updated_at: time,
});

const stepRecord = defineRecord({ name: z.string(), status: z.string(), conclusion });

export const jobRecord = defineRecord({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion,
  url: optionalUrl,
  started_at: time.optional(),
  completed_at: time.optional(),
  steps: orElse(listFrom('steps', stepRecord), []),
});
