/** Calls as lists, counts and figures. */
import {
  callDetail,
  callFacets,
  callMetrics,
  callMetricsQuery,
  callPage,
  callsFilter,
  callsQuery,
  executionParams,
} from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listCalls = defineRoute({
  method: 'GET',
  path: '/api/executions',
  summary: 'Calls, newest first, without arguments and results; running ones first',
  acts: ['listCalls'],
  query: callsQuery,
  reply: callPage,
  async handle({ plane, principal, query }) {
    const { calls, ...page } = await plane.listCalls(principal, defined(query));
    return { executions: calls, ...page };
  },
});

export const countCalls = defineRoute({
  method: 'GET',
  path: '/api/executions/facets',
  summary: 'How many calls under the filter have which value, by field',
  acts: ['callFacets'],
  query: callsFilter,
  reply: callFacets,
  async handle({ plane, principal, query }) {
    return plane.callFacets(principal, defined(query));
  },
});

export const getCall = defineRoute({
  method: 'GET',
  path: '/api/executions/:executionId',
  summary: 'One call as recorded, with its approval and its neighbours under the filter',
  acts: ['getCall'],
  params: executionParams,
  query: callsFilter,
  reply: callDetail,
  async handle({ plane, principal, params, query }) {
    return plane.getCall(principal, params.executionId, defined(query));
  },
});

export const cancelCall = defineRoute({
  method: 'POST',
  path: '/api/executions/:executionId/cancel',
  summary: 'Stop a call that runs, in whichever process',
  acts: ['cancelCall'],
  params: executionParams,
  status: 202,
  async handle({ plane, principal, params }) {
    await plane.cancelCall(principal, params.executionId);
    return undefined;
  },
});

export const measureCalls = defineRoute({
  method: 'GET',
  path: '/api/metrics/calls',
  summary: 'Outcomes, durations and characters of calls, by minute, tool or agent',
  acts: ['callMetrics'],
  query: callMetricsQuery,
  reply: callMetrics,
  async handle({ plane, principal, query: { by, ...filter } }) {
    return plane.callMetrics(principal, { by, ...defined(filter) });
  },
});
