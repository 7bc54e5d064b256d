/** Input fields that many tools share. What has a name may be given by it: `resolve.ts` finds the id. */
import { z } from 'zod';
import { defined } from '../../util/defined.js';

const name = z.string().min(1).max(255);

export const uuid = z.string().regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
export const issueId = z
  .string()
  .regex(/^(?:[A-Za-z0-9]{1,20}-[0-9]{1,10}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/)
  .describe('ENG-123 or id');
export const team = name.describe('Key (ENG), name or id');
export const state = name.describe('Name (In Progress) or id; list_workflow_states tells them');
export const person = name.describe('me, e-mail address, name or id');
export const label = name.describe('Name or id');
export const project = name.describe('Name or id');
export const markdown = z.string().max(100_000).describe('Markdown');
export const date = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .describe('2026-01-31');
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/)
  .describe('2026-01-31T09:00:00Z or 2026-01-31');
export const priority = z.int().min(0).max(4).describe('0 none, 1 urgent, 2 high, 3 medium, 4 low');
export const orNull = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  z.union([schema, z.null()]).optional().describe(`${what}; null takes it away`);

export const paging = {
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the answer before'),
};
export const next_cursor = z.string().optional().describe('Absent on the last page');

/** As variables of Linear. */
export const pageOf = ({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }) => ({
  first: limit,
  ...defined({ after: cursor }),
});
