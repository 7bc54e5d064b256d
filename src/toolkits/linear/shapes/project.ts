/** Projects: the fields that are asked for, and what becomes of them. */
import { z } from 'zod';
import {
  known,
  personFields,
  personShape,
  type RawPerson,
  type RawTeam,
  teamFields,
  teamShape,
  toPerson,
  toTeam,
} from './people.js';

export interface RawProject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly content?: string | null;
  readonly url: string;
  readonly progress: number;
  readonly priority: number;
  readonly startDate?: string | null;
  readonly targetDate?: string | null;
  readonly updatedAt: string;
  readonly status: { readonly id: string; readonly name: string; readonly type: string };
  readonly lead?: RawPerson | null;
  readonly teams: { readonly nodes: readonly RawTeam[] };
}
export const projectSummaryFields = `id name description url progress priority startDate targetDate updatedAt
  status { id name type } lead { ${personFields} } teams(first: 10) { nodes { ${teamFields} } }`;
export const projectFields = `${projectSummaryFields} content`;
export const projectSummaryShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().describe('A line or two'),
  url: z.string(),
  status: z.strictObject({ id: z.string(), name: z.string(), type: z.string() }),
  progress: z.number().describe('0 to 1'),
  priority: z.number(),
  lead: personShape.optional(),
  teams: z.array(teamShape),
  start_date: z.string().optional(),
  target_date: z.string().optional(),
  updated_at: z.string(),
});
export const projectShape = projectSummaryShape.extend({ content: z.string().optional().describe('Markdown') });

export function toProjectSummary(raw: RawProject): z.input<typeof projectSummaryShape> {
  const { id, name, description, url, progress, priority, status } = raw;
  return {
    id,
    name,
    description,
    url,
    progress,
    priority,
    status: { id: status.id, name: status.name, type: status.type },
    lead: toPerson(raw.lead),
    teams: raw.teams.nodes.map(toTeam),
    start_date: known(raw.startDate),
    target_date: known(raw.targetDate),
    updated_at: raw.updatedAt,
  };
}
export const toProject = (raw: RawProject): z.input<typeof projectShape> => ({
  ...toProjectSummary(raw),
  content: known(raw.content),
});
