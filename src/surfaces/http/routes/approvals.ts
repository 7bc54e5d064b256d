/** Approvals: calls that wait for a person's decision. */
import { z } from 'zod';
import {
  approval,
  approvalCounts,
  approvalsQuery,
  decisionBody,
  decisionOutcomes,
  idParams,
  jointDecisionBody,
} from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

const defaultListed = 100;

export const listApprovals = defineRoute({
  method: 'GET',
  path: '/api/approvals',
  summary: 'Calls that wait for approval or were decided',
  acts: ['approvals', 'approvalCounts'],
  query: approvalsQuery,
  reply: z.object({
    approvals: z.array(approval),
    counts: approvalCounts,
    next: z.string().optional().describe('`before` of the next page'),
  }),
  async handle({ plane, principal, query: { before, limit = defaultListed, ...query } }) {
    const filter = defined(query);
    const approvals = await plane.approvals(principal, { ...filter, limit, ...defined({ before }) });
    // Afterwards, because the list withdraws those whose call has changed.
    const counts = await plane.approvalCounts(principal, filter);
    return { approvals, counts, ...defined({ next: approvals.length < limit ? undefined : approvals.at(-1)?.id }) };
  },
});

export const getApproval = defineRoute({
  method: 'GET',
  path: '/api/approvals/:id',
  summary: 'One approval, with the exact arguments and the last approved call of its kind',
  acts: ['approval'],
  params: idParams,
  reply: approval,
  async handle({ plane, principal, params }) {
    return plane.approval(principal, params.id);
  },
});

export const decideApproval = defineRoute({
  method: 'POST',
  path: '/api/approvals/:id/decision',
  summary: 'Approve or reject one exact call, once',
  acts: ['decideApprovals'],
  params: idParams,
  body: decisionBody,
  reply: approval,
  async handle({ plane, principal, params, body: { decision, note, through } }) {
    const [outcome] = await plane.decideApprovals(principal, [params.id], {
      decision,
      through: through ?? 'api',
      ...defined({ note }),
    });
    if (outcome && 'approval' in outcome) return outcome.approval;
    const { code, message, hint } = outcome?.error ?? { code: 'internal', message: 'Nothing was decided' };
    throw new HelveError(code, message, defined({ hint }));
  },
});

export const decideApprovals = defineRoute({
  method: 'POST',
  path: '/api/approvals/decide',
  summary: 'Approve or reject several calls of one tool by one caller; returns the outcome of each',
  acts: ['decideApprovals'],
  body: jointDecisionBody,
  reply: decisionOutcomes,
  async handle({ plane, principal, body: { ids, decision, note, through } }) {
    const joint = { decision, through: through ?? 'api', ...defined({ note }) } as const;
    return { decided: await plane.decideApprovals(principal, ids, joint) };
  },
});
