/** Code mode: the declarations of the caller's tools, and the check of programs over them. */
import { codeVerdict, runBody, toolDeclarations, typesQuery } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';
import { getActor } from './tools.js';

export const getTypes = defineRoute({
  method: 'GET',
  path: '/api/types',
  summary: 'TypeScript declarations of the tools that the caller may use, for programs',
  acts: ['toolDeclarations', 'actAs'],
  query: typesQuery,
  reply: toolDeclarations,
  async handle({ plane, principal, query: { only, format, agent } }) {
    const actor = await getActor(plane, principal, agent);
    return plane.toolDeclarations(actor, defined({ only: only?.split(','), format }));
  },
});

export const run = defineRoute({
  method: 'POST',
  path: '/api/runs',
  summary: 'Check a TypeScript program against the tools that the caller may use',
  acts: ['checkCode', 'actAs'],
  body: runBody,
  reply: codeVerdict,
  async handle({ plane, principal, body, request }) {
    return plane.checkCode(await getActor(plane, principal, body.agent), body.code, request.signal);
  },
});
