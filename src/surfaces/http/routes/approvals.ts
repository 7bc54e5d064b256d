/** Approvals: calls that wait for a person's decision. */
import { z } from 'zod';
import { approval, approvalsQuery, decisionBody, idParams } from '../../../api/index.js';
import { defineRoute } from '../route.js';

export const listApprovals = defineRoute({
  method: 'GET',
  path: '/api/approvals',
  summary: 'Calls that wait for approval or were decided',
  acts: ['approvals'],
  query: approvalsQuery,
  reply: z.object({ approvals: z.array(approval) }),
  async handle({ plane, principal, query }) {
    return { approvals: await plane.approvals(principal, query) };
  },
});

export const getApproval = defineRoute({
  method: 'GET',
  path: '/api/approvals/:id',
  summary: 'One approval, with the exact arguments',
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
  acts: ['decideApproval'],
  params: idParams,
  body: decisionBody,
  reply: approval,
  async handle({ plane, principal, params, body }) {
    return plane.decideApproval(principal, params.id, body.decision, 'api');
  },
});
