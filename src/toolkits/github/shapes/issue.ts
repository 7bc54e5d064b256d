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
