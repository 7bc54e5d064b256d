/** Issues, their comments, labels and milestones. */
import { z } from 'zod';
import { defineRecord, from, orElse } from '../../../util/record.js';
import { authorFrom, namesFrom, optionalTextFrom, textFrom, time, url } from './people.js';

const milestone = defineRecord({ number: z.int(), title: z.string() });

/** According to GitHub's description, a label may be a plain name or an object without a name. */
const readLabels = (labels: readonly (string | { readonly name?: string | null })[]) =>
  labels.flatMap((label) => (typeof label === 'string' ? label : label.name) || []);

export const issueSummaryRecord = defineRecord({
  number: z.int(),
  title: z.string(),
  state: z.string().describe('open or closed'),
  state_reason: z.string().optional().describe('completed, not_planned, duplicate or reopened'),
  url,
  repository: from(
    'repository_url',
    z.string().optional().describe('owner/name'),
    (address: string) => /\/repos\/([^/]+\/[^/]+)$/.exec(address)?.[1],
  ),
  author: authorFrom('user'),
  labels: from('labels', z.array(z.string()), readLabels),
  assignees: namesFrom('assignees', 'login'),
  milestone: from('milestone', milestone.shape.optional(), milestone.read),
  comments: z.int(),
  locked: z.boolean().optional(),
  is_pull_request: orElse(
    from('pull_request', z.boolean(), () => true),
    false,
  ),
  created_at: time,
  updated_at: time,
  closed_at: time.optional(),
});
export const issueRecord = defineRecord({
  ...issueSummaryRecord.fields,
  body: optionalTextFrom('body'),
});

export const commentRecord = defineRecord({
  id: z.int(),
  author: authorFrom('user'),
  body: textFrom('body'),
  url,
  created_at: time,
  updated_at: time,
});

const associationText = 'OWNER, MEMBER or COLLABORATOR belong to the repository';
const authorType = from('user.type', z.string().optional().describe('User, Organization or Bot'));
const issueNumber = (path: string) =>
  from(path, z.int(), (address: string) => Number(/\/issues\/(\d+)$/.exec(address)?.[1]));
/** With the markers of effects, which tell what Helve wrote from what its account wrote without it. */
const rawText = orElse(from('body', z.string()), '');

export const activeIssueRecord = defineRecord({
  id: z.int(),
  number: z.int(),
  title: z.string(),
  body: rawText,
  state: z.string().describe('open or closed'),
  url,
  repository: issueSummaryRecord.fields.repository,
  author: authorFrom('user'),
  author_type: authorType,
  author_association: z.string().optional().describe(associationText),
  labels: issueSummaryRecord.fields.labels,
  created_at: time,
  updated_at: time,
});

export const rawCommentRecord = defineRecord({
  id: z.int(),
  issue_number: issueNumber('issue_url'),
  author: authorFrom('user'),
  author_association: z.string().optional().describe(associationText),
  body: rawText,
  created_at: time,
  updated_at: time,
});

export const issueEventRecord = defineRecord({
  event: z.string().describe('labeled, unlabeled, closed or reopened'),
  issue_number: from('issue.number', z.int().optional()),
  label: from('label.name', z.string().optional()),
  actor: authorFrom('actor'),
  actor_type: from('actor.type', z.string().optional().describe('User, Organization or Bot')),
  created_at: time,
});

export const labelRecord = defineRecord({
  name: z.string(),
  color: z.string().describe('Six hexadecimal digits'),
  description: z.string().optional(),
});

export const milestoneRecord = defineRecord({
  ...milestone.fields,
  state: z.string(),
  description: z.string().optional(),
  due_on: time.optional(),
  open_issues: z.int(),
  closed_issues: z.int(),
  url,
});
