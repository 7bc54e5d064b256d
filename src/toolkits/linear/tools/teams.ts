/** Teams and their workflow states, cycles and labels. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defined } from '../../../util/defined.js';
import { type Linear, nextCursor, type Page, selectPage } from '../client.js';
import { byOwnId } from '../create-once.js';
import { at, defineLinearRecord, list, one } from '../define-record.js';
import { defineLinearTool } from '../define-tool.js';
import { next_cursor, paging, team, toPageVariables } from '../inputs.js';
import { createRequests } from '../requests.js';
import { resolveTeam } from '../resolve.js';
import { cycleRecord, labelRecord, stateRecord, teamRecord } from '../shapes/people.js';

const filterByTeam = async (linear: Linear, name: string | undefined) =>
  name === undefined ? undefined : { id: { eq: await resolveTeam(linear, name) } };

const teamsDocument = `query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { ${selectPage(teamRecord)} } }`;

export const listTeams = defineLinearTool({
  name: 'list_teams',
  title: 'List teams',
  description: 'The teams that this account can see.',
  inputSchema: z.strictObject({ ...paging }),
  outputSchema: z.strictObject({ teams: z.array(teamRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list teams'],
  async run(input, linear) {
    const { teams } = await linear.query<{ teams: Page }>(teamsDocument, toPageVariables(input));
    return { teams: teams.nodes.map(teamRecord.read), next_cursor: nextCursor(teams) };
  },
});

const wholeTeamRecord = defineLinearRecord({
  ...teamRecord.fields,
  description: z.string().optional(),
  time_zone: at('timezone', z.string()),
  estimates: at('issueEstimationType', z.string().describe('notUsed, exponential, fibonacci, linear or tShirt')),
  has_cycles: at('cyclesEnabled', z.boolean()),
  states: list('states', stateRecord, 50),
});
const teamDocument = `query Team($id: String!) { team(id: $id) { ${wholeTeamRecord.selection} } }`;

export const getTeam = defineLinearTool({
  name: 'get_team',
  title: 'Get a team',
  description: 'One team with its workflow states.',
  inputSchema: z.strictObject({ team }),
  outputSchema: wholeTeamRecord.shape,
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get team'],
  async run(input, linear) {
    const id = await resolveTeam(linear, input.team);
    return wholeTeamRecord.read((await linear.query<{ team: object }>(teamDocument, { id })).team);
  },
});

const teamStateRecord = defineLinearRecord({
  ...stateRecord.fields,
  position: z.number().describe('Order within its type, the lowest first'),
  team: one('team', teamRecord),
});
const statesDocument = `query ListStates($first: Int, $after: String, $filter: WorkflowStateFilter) {
  workflowStates(first: $first, after: $after, filter: $filter) { ${selectPage(teamStateRecord)} }
}`;

export const listWorkflowStates = defineLinearTool({
  name: 'list_workflow_states',
  title: 'List workflow states',
  description: 'The states that issues can be in; each team has its own.',
  inputSchema: z.strictObject({ team: team.optional(), ...paging }),
  outputSchema: z.strictObject({ states: z.array(teamStateRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list workflow states', 'list statuses'],
  async run(input, linear) {
    const variables = { ...toPageVariables(input), filter: defined({ team: await filterByTeam(linear, input.team) }) };
    const { workflowStates } = await linear.query<{ workflowStates: Page }>(statesDocument, variables);
    return { states: workflowStates.nodes.map(teamStateRecord.read), next_cursor: nextCursor(workflowStates) };
  },
});

const cyclesDocument = `query ListCycles($first: Int, $after: String, $filter: CycleFilter) {
  cycles(first: $first, after: $after, filter: $filter) { ${selectPage(cycleRecord)} }
}`;

export const listCycles = defineLinearTool({
  name: 'list_cycles',
  title: 'List cycles',
  description: 'The cycles of a team, or of all.',
  inputSchema: z.strictObject({
    team: team.optional(),
    when: z.enum(['active', 'next', 'previous', 'future', 'past']).optional().describe('Default all'),
    ...paging,
  }),
  outputSchema: z.strictObject({ cycles: z.array(cycleRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list cycles', 'get current cycle'],
  async run(input, linear) {
    const { when } = input;
    const during = when === undefined ? {} : { [`is${when.charAt(0).toUpperCase()}${when.slice(1)}`]: { eq: true } };
    const filter = defined({ team: await filterByTeam(linear, input.team), ...during });
    const { cycles } = await linear.query<{ cycles: Page }>(cyclesDocument, { ...toPageVariables(input), filter });
    return { cycles: cycles.nodes.map(cycleRecord.read), next_cursor: nextCursor(cycles) };
  },
});

const labelsDocument = `query ListLabels($first: Int, $after: String, $filter: IssueLabelFilter) {
  issueLabels(first: $first, after: $after, filter: $filter) { ${selectPage(labelRecord)} }
}`;

export const listLabels = defineLinearTool({
  name: 'list_labels',
  title: 'List labels',
  description: 'The labels that issues can have: those of a team and of the whole workspace.',
  inputSchema: z.strictObject({ team: team.optional(), ...paging }),
  outputSchema: z.strictObject({ labels: z.array(labelRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list labels'],
  async run(input, linear) {
    const own = await filterByTeam(linear, input.team);
    const filter = own === undefined ? {} : { or: [{ team: own }, { team: { null: true } }] };
    const { issueLabels } = await linear.query<{ issueLabels: Page }>(labelsDocument, {
      ...toPageVariables(input),
      filter,
    });
    return { labels: issueLabels.nodes.map(labelRecord.read), next_cursor: nextCursor(issueLabels) };
  },
});

const labelRequests = createRequests('issueLabel', labelRecord);

export const createLabel = defineLinearTool({
  name: 'create_label',
  title: 'Create a label',
  description: 'Add a label for the issues of a team, or without team for those of the whole workspace.',
  inputSchema: z.strictObject({
    name: z.string().min(1).max(80),
    color: z
      .string()
      .regex(/^#[0-9A-Fa-f]{6}$/)
      .optional()
      .describe('#ff0000'),
    description: z.string().max(255).optional(),
    team: team.optional(),
  }),
  outputSchema: labelRecord.shape,
  annotations: effects.creates,
  idempotency: byOwnId,
  scopes: ['read', 'write'],
  capabilities: ['create label'],
  async run({ team: name, ...values }, linear, { effectKey }) {
    const teamId = name === undefined ? undefined : await resolveTeam(linear, name);
    return labelRequests.create(linear, effectKey, defined({ ...values, teamId }));
  },
});
