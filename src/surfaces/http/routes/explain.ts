/** Why a call would be refused, what an agent can do, and what other policies would have done. Nothing runs. */
import {
  agentParams,
  effectiveTools,
  explainBody,
  explanation,
  policyPreview,
  policyPreviewBody,
} from '../../../api/index.js';
import type { PolicyPreview, ReplayedCalls } from '../../../domain/explain.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const explain = defineRoute({
  method: 'POST',
  path: '/api/explain',
  summary: 'The verdict of every layer on a call of an agent, in order; nothing runs',
  acts: ['explain'],
  body: explainBody,
  reply: explanation,
  async handle({ plane, principal, body: { agent, tool, input, ...rest } }) {
    const question = { agent, tool, ...defined({ ...rest, input: input as JsonObject | undefined }) };
    const { steps, ...verdict } = await plane.explain(principal, question);
    return { ...verdict, steps: [...steps] };
  },
});

export const getEffective = defineRoute({
  method: 'GET',
  path: '/api/agents/:agent/effective',
  summary: 'Every tool that an agent can call, what it costs in context, and what is granted but refused',
  acts: ['effectiveTools'],
  params: agentParams,
  reply: effectiveTools,
  async handle({ plane, principal, params }) {
    const { tools, notOffered, ...facts } = await plane.effectiveTools(principal, params.agent);
    return { ...facts, tools: [...tools], notOffered: [...notOffered] };
  },
});

export const previewPolicies = defineRoute({
  method: 'POST',
  path: '/api/policies/preview',
  summary: 'What these policies would change for the calls on record; nothing is stored',
  acts: ['previewPolicies'],
  body: policyPreviewBody,
  reply: policyPreview,
  async handle({ plane, principal, body: { policies, ...rest } }) {
    return copy(await plane.previewPolicies(principal, { policies, ...defined(rest) }));
  },
});

function copy({ same, newlyWaiting, newlyRefused, newlyFree, unknown }: PolicyPreview) {
  const list = ({ count, calls }: ReplayedCalls) => ({ count, calls: [...calls] });
  return {
    same: list(same),
    newlyWaiting: list(newlyWaiting),
    newlyRefused: list(newlyRefused),
    newlyFree: list(newlyFree),
    unknown: list(unknown),
  };
}
