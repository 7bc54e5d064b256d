/** Projects. */
import { z } from 'zod';
import { defineLinearRecord, list, maybe, one } from '../define-record.js';
import { createRequests } from '../requests.js';
import { personRecord, teamRecord } from './people.js';

const statusRecord = defineLinearRecord({ id: z.string(), name: z.string(), type: z.string() });

export const projectSummaryRecord = defineLinearRecord({
  id: z.string(),
  name: z.string(),
  description: z.string().describe('A line or two'),
  url: z.string(),
  status: one('status', statusRecord),
  progress: z.number().describe('0 to 1'),
  priority: z.number(),
  lead: maybe('lead', personRecord),
  teams: list('teams', teamRecord, 10),
  start_date: z.string().optional(),
  target_date: z.string().optional(),
  updated_at: z.string(),
});

export const projectRecord = defineLinearRecord({
  ...projectSummaryRecord.fields,
  content: z.string().optional().describe('Markdown'),
});

export const projectRequests = createRequests('project', projectRecord);
