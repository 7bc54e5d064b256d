/** The declarations of the caller's tools, for programs. */
import { toolDeclarations, typesQuery } from '../../../api/index.js';
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
