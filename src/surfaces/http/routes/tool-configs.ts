/** Which tools tasks may use, level by level. */
import { effectiveToolConfig, toolConfig, toolConfigBody, toolConfigParams } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const getToolConfig = defineRoute({
  method: 'GET',
  path: '/api/tool-config/:level/:id',
  summary: 'The tool config of an organisation, a repository, a project or an issue',
  acts: ['getToolConfig'],
  params: toolConfigParams,
  reply: toolConfig,
  versioned: true,
  handle: ({ plane, principal, params }) => plane.getToolConfig(principal, params),
});

export const putToolConfig = defineRoute({
  method: 'PUT',
  path: '/api/tool-config/:level/:id',
  summary: 'Replace a tool config; it can only narrow what comes from above',
  acts: ['putToolConfig'],
  params: toolConfigParams,
  body: toolConfigBody,
  reply: toolConfig,
  versioned: true,
  handle: ({ plane, principal, params, body: { version: _, notice: __, ...config }, ifMatch }) =>
    plane.putToolConfig(principal, params, defined({ ...config, ifMatch })),
});

export const getEffectiveToolConfig = defineRoute({
  method: 'GET',
  path: '/api/tool-config/:level/:id/effective',
  summary: 'This level and all above it as one, with the level that decided about each app',
  acts: ['getEffectiveToolConfig'],
  params: toolConfigParams,
  reply: effectiveToolConfig,
  handle: ({ plane, principal, params }) => plane.getEffectiveToolConfig(principal, params),
});
