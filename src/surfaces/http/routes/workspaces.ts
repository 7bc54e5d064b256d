/** The workspaces of the installation. */
import { createdWorkspace, newWorkspaceBody, workspaceList } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listWorkspaces = defineRoute({
  method: 'GET',
  path: '/api/workspaces',
  summary: 'The workspaces: all for people of the installation’s first workspace, for others their own',
  acts: ['workspaces'],
  reply: workspaceList,
  async handle({ plane, principal }) {
    return { workspaces: [...(await plane.workspaces(principal))] };
  },
});

export const createWorkspace = defineRoute({
  method: 'POST',
  path: '/api/workspaces',
  summary: 'Add a workspace; the answer has the link with which its first admin signs in, once',
  acts: ['createWorkspace'],
  body: newWorkspaceBody,
  reply: createdWorkspace,
  status: 201,
  async handle({ plane, principal, body: { slug, name, admin } }) {
    return plane.createWorkspace(principal, { slug, admin: defined(admin), ...defined({ name }) });
  },
});
