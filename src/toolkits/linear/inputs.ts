/** Input fields that many tools share. Most objects may be given by name or id: `resolve.ts` finds the id. */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

export const name = z.string().min(1).max(255);

const uuidPattern = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
export const uuid = z.string().regex(new RegExp(`^${uuidPattern}$`));
export const issueId = z
  .string()
  .regex(new RegExp(`^(?:[A-Za-z0-9]{1,20}-[0-9]{1,10}|${uuidPattern})$`))
  .describe('ENG-123 or id');
export const isId = (text: string): boolean => uuid.safeParse(text).success;
export const team = name.describe('Key (ENG), name or id');
export const state = name.describe('Name (In Progress) or id; list_workflow_states lists them');
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
  z.union([schema, z.null()]).optional().describe(`${what}; null removes it`);

export const paging = {
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the previous answer'),
};
export const next_cursor = z.string().optional().describe('Absent on the last page');

/** Returns the variables of a query for one page. */
export const toPageVariables = ({
  limit,
  cursor,
}: {
  readonly limit: number;
  readonly cursor?: string | undefined;
}) => ({
  first: limit,
  ...defined({ after: cursor }),
});

/** Throws `invalid_input` if an update changes nothing; `key` names the object. */
export function checkChanges(changes: object, key: string): void {
  if (Object.keys(changes).length > 0) return;
  const hint = `Give at least one field besides ${key}.`;
  throw new HelveError('invalid_input', 'There is nothing to change', { hint });
}
