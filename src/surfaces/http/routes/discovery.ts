/** Finding tools: searching, describing, and hints for a model's system prompt. */
import {
  describeBody,
  discoveryStats,
  hintsBody,
  searchQuery,
  toolDescriptions,
  toolFindings,
  toolHints,
} from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';
import { getActor } from './tools.js';

export const searchTools = defineRoute({
  method: 'GET',
  path: '/api/tools/search',
  summary: 'Find tools by what they do, among those that the caller may use',
  acts: ['searchTools', 'actAs'],
  query: searchQuery,
  reply: toolFindings,
  async handle({ plane, principal, query }) {
    const { q, limit, toolkits, explain, agent } = query;
    return plane.searchTools(await getActor(plane, principal, agent), {
      query: q,
      ...defined({ limit }),
      ...(toolkits === undefined ? {} : { toolkits: toolkits.split(',') }),
      explain: explain === 'true',
    });
  },
});

export const describeTools = defineRoute({
  method: 'POST',
  path: '/api/tools/describe',
  summary: 'Describe tools in full: schemas, TypeScript, risk, whether a person must approve',
  acts: ['describeTools', 'actAs'],
  body: describeBody,
  reply: toolDescriptions,
  async handle({ plane, principal, body }) {
    return plane.describeTools(await getActor(plane, principal, body.agent), body.names);
  },
});

export const hintTools = defineRoute({
  method: 'POST',
  path: '/api/tools/hints',
  summary: 'Lines about tools for a system prompt, for a person’s message or the step of a recipe',
  acts: ['toolHints', 'actAs'],
  body: hintsBody,
  reply: toolHints,
  async handle({ plane, principal, body }) {
    const { agent, text, mode, limit } = body;
    const request = { text, mode, ...defined({ limit }) };
    return plane.toolHints(await getActor(plane, principal, agent), request);
  },
});

export const getDiscoveryStats = defineRoute({
  method: 'GET',
  path: '/api/tools/search/stats',
  summary: 'Statistics of this workspace’s searches since the server started',
  acts: ['discoveryStats'],
  reply: discoveryStats,
  async handle({ plane, principal }) {
    return plane.discoveryStats(principal);
  },
});
