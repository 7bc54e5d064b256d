/** People, teams, workflow states, labels and cycles. */
import { z } from 'zod';
import { at, defineLinearRecord, maybe, one } from '../define-record.js';

export const personRecord = defineLinearRecord({ id: z.string(), name: z.string(), email: z.string().optional() });

export const userRecord = defineLinearRecord({
  ...personRecord.fields,
  display_name: z.string(),
  is_active: at('active', z.boolean()),
  is_admin: at('admin', z.boolean()),
  is_guest: at('guest', z.boolean()),
  url: z.string(),
});

export const teamRecord = defineLinearRecord({ id: z.string(), key: z.string(), name: z.string() });

export const stateRecord = defineLinearRecord({
  id: z.string(),
  name: z.string(),
  type: z.string().describe('triage, backlog, unstarted, started, completed, canceled or duplicate'),
});

export const labelRecord = defineLinearRecord({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  description: z.string().optional(),
  is_group: z.boolean(),
  team: maybe('team', teamRecord, 'Absent: of the whole workspace'),
  group: at('parent.name', z.string().optional().describe('Name of the group it is in')),
});

export const cycleRecord = defineLinearRecord({
  id: z.string(),
  number: z.number(),
  name: z.string().optional(),
  starts_at: z.string(),
  ends_at: z.string(),
  is_active: z.boolean(),
  progress: z.number().describe('0 to 1'),
  team: one('team', teamRecord),
});
