/** Tools that write issues. An update sets values, so sending it twice has the same effect as sending it once. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { checkPayload } from '../client.js';
import { byOwnId } from '../create-once.js';
import { defineLinearRecord } from '../define-record.js';
import { defineLinearTool } from '../define-tool.js';
import {
  checkChanges,
  date,
  issueId,
  label,
  markdown,
  orNull,
  person,
  priority,
  project,
  state,
  team,
  uuid,
} from '../inputs.js';
import { toIssueInput } from '../issue-input.js';
import { resolveIssue, resolveState, resolveTeam } from '../resolve.js';
import { issueRecord, issueRequests } from '../shapes/issue.js';

const title = z.string().min(1).max(500);
const labels = z.array(label).max(50);
const estimate = z.int().min(0).max(100);

export const createIssue = defineLinearTool({
  name: 'create_issue',
  title: 'Create an issue',
  description: 'Open an issue in a team.',
  inputSchema: z.strictObject({
    team,
    title,
    description: markdown.optional(),
    state: state.optional(),
    assignee: person.optional(),
    priority: priority.optional(),
    labels: labels.optional(),
    estimate: estimate.optional(),
    due_date: date.optional(),
    parent: issueId.optional(),
    project: project.optional(),
    cycle_id: uuid.optional(),
  }),
  outputSchema: issueRecord.shape,
  annotations: effects.creates,
  idempotency: byOwnId,
  scopes: ['read', 'issues:create'],
  capabilities: ['create issue'],
  examples: [{ input: { team: 'ENG', title: 'Typo on the start page', labels: ['Bug'], priority: 3 } }],
  async run({ team: teamName, ...values }, linear, { effectKey }) {
    const teamId = await resolveTeam(linear, teamName);
    return issueRequests.create(linear, effectKey, {
      teamId,
      ...(await toIssueInput(linear, values, teamId)),
    });
  },
});

export const updateIssue = defineLinearTool({
  name: 'update_issue',
  title: 'Update an issue',
  description: 'Change an issue. What is not given stays as it is.',
  inputSchema: z.strictObject({
    id: issueId,
    title: title.optional(),
    description: markdown.optional(),
    state: state.optional(),
    assignee: orNull(person, 'me, e-mail address, name or id'),
    priority: priority.optional(),
    labels: labels.optional().describe('All that it should have'),
    add_labels: labels.optional(),
    remove_labels: labels.optional(),
    estimate: orNull(estimate, 'Points'),
    due_date: orNull(date, '2026-01-31'),
    parent: orNull(issueId, 'ENG-123 or id'),
    project: orNull(project, 'Name or id'),
    cycle_id: orNull(uuid, 'Id of a cycle'),
  }),
  outputSchema: issueRecord.shape,
  annotations: effects.replaces,
  scopes: ['read', 'write'],
  capabilities: ['update issue', 'assign issue', 'label issue'],
  examples: [{ input: { id: 'ENG-123', assignee: 'me', add_labels: ['Bug'] } }],
  async run({ id, ...values }, linear) {
    checkChanges(values, 'id');
    if (values.labels && (values.add_labels || values.remove_labels))
      throw new HelveError('invalid_input', 'labels replaces all of them', {
        hint: 'Give either labels, or add_labels and remove_labels.',
      });
    const issue = await resolveIssue(linear, id);
    return issueRequests.update(linear, issue.id, await toIssueInput(linear, values, issue.teamId));
  },
});

export const updateIssueStatus = defineLinearTool({
  name: 'update_issue_status',
  title: 'Update the status of an issue',
  description: 'Move an issue to another workflow state of its team.',
  inputSchema: z.strictObject({ id: issueId, state }),
  outputSchema: issueRecord.shape,
  annotations: effects.replaces,
  scopes: ['read', 'write'],
  capabilities: ['update issue status', 'move issue', 'close issue'],
  examples: [{ input: { id: 'ENG-123', state: 'Done' } }],
  async run(input, linear) {
    const issue = await resolveIssue(linear, input.id);
    return issueRequests.update(linear, issue.id, { stateId: await resolveState(linear, input.state, issue.teamId) });
  },
});

const archivedRecord = defineLinearRecord({
  id: z.string(),
  identifier: z.string().optional(),
  archived_at: z.string().optional(),
});
const archiveDocument = `mutation ArchiveIssue($id: String!) { payload: issueArchive(id: $id) { success entity { ${archivedRecord.selection} } } }`;

export const archiveIssue = defineLinearTool({
  name: 'archive_issue',
  title: 'Archive an issue',
  description: 'Take an issue out of all lists. People can bring it back.',
  inputSchema: z.strictObject({ id: issueId }),
  outputSchema: z.strictObject({ archived: z.literal(true), ...archivedRecord.shape.shape }),
  annotations: effects.replaces,
  scopes: ['read', 'write'],
  capabilities: ['archive issue'],
  async run(input, linear) {
    const { id } = await resolveIssue(linear, input.id);
    type Archived = { payload: { success: boolean; entity?: object | null } };
    const { entity } = checkPayload((await linear.mutate<Archived>(archiveDocument, { id })).payload);
    return { archived: true as const, ...archivedRecord.read(entity ?? { id }) };
  },
});
