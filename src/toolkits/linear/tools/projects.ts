/** Projects. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { checked, type Linear, nextCursor, type Page } from '../client.js';
import { createOnce, idFor } from '../create-once.js';
import { defineLinearTool } from '../define-tool.js';
import { date, markdown, next_cursor, orNull, pageOf, paging, person, priority, project, team } from '../inputs.js';
import { resolvePerson, resolveProject, resolveProjectStatus, resolveTeam } from '../resolve.js';
import {
  projectFields,
  projectShape,
  projectSummaryFields,
  projectSummaryShape,
  type RawProject,
  toProject,
  toProjectSummary,
} from '../shapes/project.js';

const status = z.string().min(1).max(255).describe('Name (Planned) or id');
const teams = z.array(team).min(1).max(20);
const values = {
  description: z.string().max(255).optional().describe('A line or two'),
  content: markdown.optional(),
  status: status.optional(),
  priority: priority.optional(),
};

const listDocument = `query ListProjects($first: Int, $after: String, $filter: ProjectFilter) {
  projects(first: $first, after: $after, filter: $filter, orderBy: updatedAt) { nodes { ${projectSummaryFields} } pageInfo { hasNextPage endCursor } }
}`;

export const listProjects = defineLinearTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Projects, last changed first, without their texts.',
  inputSchema: z.strictObject({
    team: team.optional(),
    status_type: z.enum(['backlog', 'planned', 'started', 'paused', 'completed', 'canceled']).optional(),
    name_contains: z.string().min(1).max(255).optional(),
    ...paging,
  }),
  outputSchema: z.strictObject({ projects: z.array(projectSummaryShape), next_cursor }),
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
    const { projects } = await linear.query<{ projects: Page<RawProject> }>(listDocument, { ...pageOf(input), filter });
    return { projects: projects.nodes.map(toProjectSummary), next_cursor: nextCursor(projects) };
  },
});

const getDocument = `query Project($id: String!) { project(id: $id) { ${projectFields} } }`;
const fetchProject = async (linear: Linear, id: string) =>
  (await linear.query<{ project: RawProject }>(getDocument, { id })).project;

export const getProject = defineLinearTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'One project with its text.',
  inputSchema: z.strictObject({ project }),
  outputSchema: projectShape,
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get project'],
  async run(input, linear) {
    return toProject(await fetchProject(linear, await resolveProject(linear, input.project)));
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

interface Payload {
  readonly payload: { readonly success: boolean; readonly project?: RawProject | null };
}

const createDocument = `mutation CreateProject($input: ProjectCreateInput!) { payload: projectCreate(input: $input) { success project { ${projectFields} } } }`;

export const createProject = defineLinearTool({
  name: 'create_project',
  title: 'Create a project',
  description: 'Begin a project of one or more teams.',
  inputSchema: z.strictObject({
    name: z.string().min(1).max(255),
    teams,
    ...values,
    lead: person.optional(),
    start_date: date.optional(),
    target_date: date.optional(),
  }),
  outputSchema: projectShape,
  annotations: effects.creates,
  scopes: ['read', 'write'],
  capabilities: ['create project'],
  async run(wanted, linear, { executionId }) {
    const id = idFor(executionId, 'project');
    const input = { id, ...(await toInput(linear, wanted)) };
    const made = await createOnce(
      async () =>
        checked((await linear.mutate<Payload>(createDocument, { input })).payload).project ?? fetchProject(linear, id),
      () => fetchProject(linear, id),
    );
    return toProject(made);
  },
});

const updateDocument = `mutation UpdateProject($id: String!, $input: ProjectUpdateInput!) { payload: projectUpdate(id: $id, input: $input) { success project { ${projectFields} } } }`;

export const updateProject = defineLinearTool({
  name: 'update_project',
  title: 'Update a project',
  description: 'Change a project. What is not given stays as it is.',
  inputSchema: z.strictObject({
    project,
    name: z.string().min(1).max(255).optional(),
    teams: teams.optional().describe('All it shall have'),
    ...values,
    lead: orNull(person, 'me, e-mail address, name or id'),
    start_date: orNull(date, '2026-01-31'),
    target_date: orNull(date, '2026-01-31'),
  }),
  outputSchema: projectShape,
  annotations: effects.replaces,
  scopes: ['read', 'write'],
  capabilities: ['update project'],
  async run({ project: name, ...wanted }, linear) {
    if (Object.keys(wanted).length === 0)
      throw new HelveError('invalid_input', 'There is nothing to change', {
        hint: 'Give at least one field beside project.',
      });
    const id = await resolveProject(linear, name);
    const input = await toInput(linear, wanted);
    const payload = checked((await linear.mutate<Payload>(updateDocument, { id, input })).payload);
    return toProject(payload.project ?? (await fetchProject(linear, id)));
  },
});
