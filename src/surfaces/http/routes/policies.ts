/** Policies: the rules that apply to each call. */
import { policiesBody, policySet } from '../../../api/index.js';
import { defineRoute } from '../route.js';

export const getPolicies = defineRoute({
  method: 'GET',
  path: '/api/policies',
  summary: 'The policies and their version',
  acts: ['policies'],
  reply: policySet,
  versioned: true,
  async handle({ plane, principal }) {
    return plane.policies(principal);
  },
});

export const replacePolicies = defineRoute({
  method: 'PUT',
  path: '/api/policies',
  summary: 'Replace all policies in one step; approvals under the former version become invalid',
  acts: ['replacePolicies'],
  body: policiesBody,
  reply: policySet,
  versioned: true,
  async handle({ plane, principal, body, ifMatch }) {
    return plane.replacePolicies(principal, body.policies, ifMatch);
  },
});
