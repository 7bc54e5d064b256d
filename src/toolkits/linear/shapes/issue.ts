/**
 * Issues and comments. Issues and results of a search have two GraphQL types with the same fields, so no fragment fits
 * both.
 */
import { z } from 'zod';
import { at, defineLinearRecord, list, maybe, one } from '../define-record.js';
import { createRequests } from '../requests.js';
import { personRecord, stateRecord, teamRecord } from './people.js';

const namedRecord = defineLinearRecord({ id: z.string(), name: z.string() });

export const issueSummaryRecord = defineLinearRecord({
  id: z.string(),
  identifier: z.string().describe('ENG-123'),
  title: z.string(),
  url: z.string(),
  state: one('state', stateRecord),
  team: one('team', teamRecord),
  assignee: maybe('assignee', personRecord),
  labels: list('labels', namedRecord, 20),
  priority: z.number().describe('0 none, 1 urgent, 2 high, 3 medium, 4 low'),
  estimate: z.number().optional(),
  due_date: z.string().optional(),
  project: maybe('project', namedRecord),
  cycle: maybe('cycle', defineLinearRecord({ id: z.string(), number: z.number() })),
  parent: maybe('parent', defineLinearRecord({ id: z.string(), identifier: z.string() })),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().optional(),
  archived_at: z.string().optional(),
});

export const issueRecord = defineLinearRecord({
  ...issueSummaryRecord.fields,
  description: z.string().optional().describe('Markdown'),
  creator: maybe('creator', personRecord),
});

export const issueRequests = createRequests('issue', issueRecord);

export const commentRecord = defineLinearRecord({
  id: z.string(),
  body: z.string().describe('Markdown'),
  url: z.string(),
  issue: at('issue.identifier', z.string().optional().describe('ENG-123')),
  user: maybe('user', personRecord, 'Absent for those of integrations'),
  parent_id: at('parent.id', z.string().optional().describe('The comment it replies to')),
  created_at: z.string(),
  edited_at: z.string().optional(),
});

export const commentRequests = createRequests('comment', commentRecord);
