/** Toolkits, and which of their tools the workspace has switched on. */
import { z } from 'zod';
import {
  pageQuery,
  switchedTool,
  toolkit,
  toolkitActionsBody,
  toolkitParams,
  toolkitSetting,
  toolkitToolParams,
  toolSummaryPage,
  unofferedTool,
} from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listToolkits = defineRoute({
  method: 'GET',
  path: '/api/tools/toolkits',
  summary: 'All toolkits, and whether the workspace has them switched on',
  acts: ['toolkits'],
  reply: z.object({ toolkits: z.array(z.object({ toolkit, setting: toolkitSetting })) }),
  async handle({ plane, principal }) {
    return { toolkits: await plane.toolkits(principal) };
  },
});

export const listActions = defineRoute({
  method: 'GET',
  path: '/api/tools/:toolkit/actions',
  summary: 'The tools of a toolkit, and whether the workspace has them switched on',
  acts: ['toolkitTools', 'unofferedTools'],
  params: toolkitParams,
  reply: z.object({ actions: z.array(switchedTool), refused: z.array(unofferedTool) }),
  async handle({ plane, principal, params }) {
    const actions = await plane.toolkitTools(principal, params.toolkit);
    return { actions, refused: [...(await plane.unofferedTools(principal, params.toolkit))] };
  },
});

export const getAction = defineRoute({
  method: 'GET',
  path: '/api/tools/:toolkit/actions/:tool',
  summary: 'One tool of a toolkit, with its whole definition',
  acts: ['toolkitTool'],
  params: toolkitToolParams,
  reply: switchedTool,
  handle: ({ plane, principal, params }) => plane.toolkitTool(principal, params.toolkit, params.tool),
});

export const listSummaries = defineRoute({
  method: 'GET',
  path: '/api/tools/:toolkit/summaries',
  summary: 'The tools of a toolkit in pages, without their schemas',
  acts: ['toolSummaries'],
  params: toolkitParams,
  query: pageQuery,
  reply: toolSummaryPage,
  async handle({ plane, principal, params, query }) {
    const page = await plane.toolSummaries(principal, params.toolkit, defined(query));
    return { ...page, tools: [...page.tools] };
  },
});

export const enableActions = defineRoute({
  method: 'POST',
  path: '/api/tools/:toolkit/actions',
  summary: 'Switch a toolkit or some of its tools on or off for the whole workspace',
  acts: ['enableTools'],
  params: toolkitParams,
  body: toolkitActionsBody,
  reply: toolkitSetting,
  async handle({ plane, principal, params, body }) {
    return plane.enableTools(principal, params.toolkit, body);
  },
});
