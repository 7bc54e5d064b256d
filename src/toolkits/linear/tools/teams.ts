/** Teams and what belongs to them: workflow states, cycles, labels. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defined } from '../../../util/defined.js';
import { checked, type Linear, nextCursor, type Page } from '../client.js';
import { createOnce, idFor } from '../create-once.js';
import { defineLinearTool } from '../define-tool.js';
import { next_cursor, pageOf, paging, team } from '../inputs.js';
import { resolveTeam } from '../resolve.js';
import {
  cycleFields,
  cycleShape,
  labelFields,
  labelShape,
  type RawCycle,
  type RawLabel,
  type RawState,
  type RawTeam,
  stateFields,
  stateShape,
  teamFields,
  teamShape,
  toCycle,
  toLabel,
  toState,
  toTeam,
} from '../shapes/people.js';

const rest = 'pageInfo { hasNextPage endCursor }';
const ofTeam = async (linear: Linear, name: string | undefined) =>
  name === undefined ? undefined : { id: { eq: await resolveTeam(linear, name) } };

const teamsDocument = `query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { ${teamFields} } ${rest} } }`;

export const listTeams = defineLinearTool({
  name: 'list_teams',
  title: 'List teams',
  description: 'The teams that this account can see.',
  inputSchema: z.strictObject({ ...paging }),
  outputSchema: z.strictObject({ teams: z.array(teamShape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list teams'],
  async run(input, linear) {
    const { teams } = await linear.query<{ teams: Page<RawTeam> }>(teamsDocument, pageOf(input));
    return { teams: teams.nodes.map(toTeam), next_cursor: nextCursor(teams) };
  },
});

const teamDocument = `query Team($id: String!) {
  team(id: $id) { ${teamFields} description timezone issueEstimationType cyclesEnabled states(first: 50) { nodes { ${stateFields} } } }
}`;
interface WholeTeam extends RawTeam {
  readonly description?: string | null;
  readonly timezone: string;
  readonly issueEstimationType: string;
  readonly cyclesEnabled: boolean;
  readonly states: { readonly nodes: readonly RawState[] };
}

export const getTeam = defineLinearTool({
  name: 'get_team',
  title: 'Get a team',
  description: 'One team with its workflow states.',
  inputSchema: z.strictObject({ team }),
  outputSchema: teamShape.extend({
    description: z.string().optional(),
    time_zone: z.string(),
    estimates: z.string().describe('notUsed, exponential, fibonacci, linear or tShirt'),
    has_cycles: z.boolean(),
    states: z.array(stateShape),
  }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get team'],
  async run(input, linear) {
    const id = await resolveTeam(linear, input.team);
    const { team: found } = await linear.query<{ team: WholeTeam }>(teamDocument, { id });
    return {
      ...toTeam(found),
      description: found.description ?? undefined,
      time_zone: found.timezone,
      estimates: found.issueEstimationType,
      has_cycles: found.cyclesEnabled,
      states: found.states.nodes.map(toState),
    };
  },
});

const statesDocument = `query ListStates($first: Int, $after: String, $filter: WorkflowStateFilter) {
  workflowStates(first: $first, after: $after, filter: $filter) { nodes { ${stateFields} team { ${teamFields} } } ${rest} }
}`;

export const listWorkflowStates = defineLinearTool({
  name: 'list_workflow_states',
  title: 'List workflow states',
  description: 'The states that issues can be in; each team has its own.',
  inputSchema: z.strictObject({ team: team.optional(), ...paging }),
  outputSchema: z.strictObject({ states: z.array(stateShape.extend({ team: teamShape })), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list workflow states', 'list statuses'],
  async run(input, linear) {
    const filter = defined({ team: await ofTeam(linear, input.team) });
    const variables = { ...pageOf(input), filter };
    const { workflowStates } = await linear.query<{ workflowStates: Page<RawState & { team: RawTeam }> }>(
      statesDocument,
      variables,
    );
    const states = workflowStates.nodes.map((raw) => ({ ...toState(raw), team: toTeam(raw.team) }));
    return { states, next_cursor: nextCursor(workflowStates) };
  },
});

const cyclesDocument = `query ListCycles($first: Int, $after: String, $filter: CycleFilter) {
  cycles(first: $first, after: $after, filter: $filter) { nodes { ${cycleFields} } ${rest} }
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
  outputSchema: z.strictObject({ cycles: z.array(cycleShape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list cycles', 'get current cycle'],
  async run(input, linear) {
    const { when } = input;
    const during = when === undefined ? {} : { [`is${when.charAt(0).toUpperCase()}${when.slice(1)}`]: { eq: true } };
    const filter = defined({ team: await ofTeam(linear, input.team), ...during });
    const { cycles } = await linear.query<{ cycles: Page<RawCycle> }>(cyclesDocument, { ...pageOf(input), filter });
    return { cycles: cycles.nodes.map(toCycle), next_cursor: nextCursor(cycles) };
  },
});

const labelsDocument = `query ListLabels($first: Int, $after: String, $filter: IssueLabelFilter) {
  issueLabels(first: $first, after: $after, filter: $filter) { nodes { ${labelFields} } ${rest} }
}`;

export const listLabels = defineLinearTool({
  name: 'list_labels',
  title: 'List labels',
  description: 'The labels that issues can have: those of a team and of the whole workspace.',
  inputSchema: z.strictObject({ team: team.optional(), ...paging }),
  outputSchema: z.strictObject({ labels: z.array(labelShape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list labels'],
  async run(input, linear) {
    const own = await ofTeam(linear, input.team);
    const filter = own === undefined ? {} : { or: [{ team: own }, { team: { null: true } }] };
    const { issueLabels } = await linear.query<{ issueLabels: Page<RawLabel> }>(labelsDocument, {
      ...pageOf(input),
      filter,
    });
    return { labels: issueLabels.nodes.map(toLabel), next_cursor: nextCursor(issueLabels) };
  },
});

const labelDocument = `query Label($id: String!) { issueLabel(id: $id) { ${labelFields} } }`;
const createLabelDocument = `mutation CreateLabel($input: IssueLabelCreateInput!) { payload: issueLabelCreate(input: $input) { success issueLabel { ${labelFields} } } }`;

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
  outputSchema: labelShape,
  annotations: effects.creates,
  scopes: ['read', 'write'],
  capabilities: ['create label'],
  async run({ team: name, ...values }, linear, { executionId }) {
    const id = idFor(executionId, 'label');
    const teamId = name === undefined ? undefined : await resolveTeam(linear, name);
    const input = defined({ id, ...values, teamId });
    const label = await createOnce(
      async () => {
        type Payload = { payload: { success: boolean; issueLabel: RawLabel } };
        return checked((await linear.mutate<Payload>(createLabelDocument, { input })).payload).issueLabel;
      },
      async () => (await linear.query<{ issueLabel: RawLabel }>(labelDocument, { id })).issueLabel,
    );
    return toLabel(label);
  },
});
