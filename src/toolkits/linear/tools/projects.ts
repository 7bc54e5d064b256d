/** Projects. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defined } from '../../../util/defined.js';
import { type Linear, nextCursor, type Page, selectPage } from '../client.js';
import { byOwnId } from '../create-once.js';
import { defineLinearTool } from '../define-tool.js';
import {
  checkChanges,
  date,
  markdown,
  name,
  next_cursor,
  orNull,
  paging,
  person,
  priority,
  project,
  team,
  toPageVariables,
} from '../inputs.js';
import { resolvePerson, resolveProject, resolveProjectStatus, resolveTeam } from '../resolve.js';
import { projectRecord, projectRequests, projectSummaryRecord } from '../shapes/project.js';

const status = name.describe('Name (Planned) or id');
const teams = z.array(team).min(1).max(20);
const values = {
  description: z.string().max(255).optional().describe('A line or two'),
  content: markdown.optional(),
  status: status.optional(),
  priority: priority.optional(),
};

const listDocument = `query ListProjects($first: Int, $after: String, $filter: ProjectFilter) {
  projects(first: $first, after: $after, filter: $filter, orderBy: updatedAt) { ${selectPage(projectSummaryRecord)} }
}`;

export const listProjects = defineLinearTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Projects, last changed first, without their texts.',
  inputSchema: z.strictObject({
    team: team.optional(),
    status_type: z.enum(['backlog', 'planned', 'started', 'paused', 'completed', 'canceled']).optional(),
    name_contains: name.optional(),
    ...paging,
  }),
  outputSchema: z.strictObject({ projects: z.array(projectSummaryRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list projects'],
  async run(input, linear) {
    const { status_type, name_contains } = input;
    const filter = defined({
      accessibleTeams:
        input.team === undefined ? undefined : { some: { id: { eq: await resolveTeam(linear, input.team) } } },
      status: status_type === undefined ? undefined : { type: { eq: status_type } },
      name: name_contains === undefined ? undefined : { containsIgnoreCase: name_contains },
    });
    const { projects } = await linear.query<{ projects: Page }>(listDocument, { ...toPageVariables(input), filter });
    return { projects: projects.nodes.map(projectSummaryRecord.read), next_cursor: nextCursor(projects) };
  },
});

export const getProject = defineLinearTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'One project with its text.',
  inputSchema: z.strictObject({ project }),
  outputSchema: projectRecord.shape,
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get project'],
  async run(input, linear) {
    return projectRequests.fetch(linear, await resolveProject(linear, input.project));
  },
});

interface Values {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
  readonly status?: string | undefined;
  readonly priority?: number | undefined;
  readonly lead?: string | null | undefined;
  readonly teams?: readonly string[] | undefined;
  readonly start_date?: string | null | undefined;
  readonly target_date?: string | null | undefined;
}

async function toInput(linear: Linear, { status: statusName, lead, teams: names, ...plain }: Values): Promise<object> {
  const teamIds: string[] = [];
  for (const name of names ?? []) teamIds.push(await resolveTeam(linear, name));
  const { start_date, target_date, ...rest } = plain;
  return defined({
    ...rest,
    startDate: start_date,
    targetDate: target_date,
    teamIds: names === undefined ? undefined : teamIds,
    statusId: statusName === undefined ? undefined : await resolveProjectStatus(linear, statusName),
    leadId: typeof lead === 'string' ? await resolvePerson(linear, lead) : lead,
  });
}

export const createProject = defineLinearTool({
  name: 'create_project',
  title: 'Create a project',
  description: 'Begin a project of one or more teams.',
  inputSchema: z.strictObject({
    name,
    teams,
    ...values,
    lead: person.optional(),
    start_date: date.optional(),
    target_date: date.optional(),
  }),
  outputSchema: projectRecord.shape,
  annotations: effects.creates,
  idempotency: byOwnId,
  scopes: ['read', 'write'],
  capabilities: ['create project'],
  async run(wanted, linear, { effectKey }) {
    return projectRequests.create(linear, effectKey, await toInput(linear, wanted));
  },
});

export const updateProject = defineLinearTool({
  name: 'update_project',
  title: 'Update a project',
  description: 'Change a project. What is not given stays as it is.',
  inputSchema: z.strictObject({
    project,
    name: name.optional(),
    teams: teams.optional().describe('All that it should have'),
    ...values,
    lead: orNull(person, 'me, e-mail address, name or id'),
    start_date: orNull(date, '2026-01-31'),
    target_date: orNull(date, '2026-01-31'),
  }),
  outputSchema: projectRecord.shape,
  annotations: effects.replaces,
  scopes: ['read', 'write'],
  capabilities: ['update project'],
  async run({ project: given, ...wanted }, linear) {
    checkChanges(wanted, 'project');
    return projectRequests.update(linear, await resolveProject(linear, given), await toInput(linear, wanted));
  },
});
