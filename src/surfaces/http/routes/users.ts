/** The people of the workspace, and the links with which they sign in. */
import {
  changeUserBody,
  invited,
  newUserBody,
  removeUserQuery,
  signInLink,
  user,
  userList,
  userParams,
} from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { Farewell } from '../../../domain/people.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/users',
  summary: 'The people of the workspace, with their roles',
  acts: ['users'],
  reply: userList,
  async handle({ plane, principal }) {
    return { users: [...(await plane.users(principal))] };
  },
});

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/users',
  summary: 'Invite a person; the answer has the link with which they sign in, once',
  acts: ['createUser'],
  body: newUserBody,
  reply: invited,
  status: 201,
  async handle({ plane, principal, body: { name, role, email } }) {
    return plane.createUser(principal, { name, role, ...defined({ email }) });
  },
});

export const changeUser = defineRoute({
  method: 'PATCH',
  path: '/api/users/:user',
  summary: 'Change the name, address or role of a person, or disable them',
  acts: ['changeUser'],
  params: userParams,
  body: changeUserBody,
  reply: user,
  async handle({ plane, principal, params, body }) {
    return plane.changeUser(principal, params.user, defined(body));
  },
});

export const removeUser = defineRoute({
  method: 'DELETE',
  path: '/api/users/:user',
  summary: 'Remove a person; their sessions end, and their accounts are removed or handed over',
  acts: ['removeUser'],
  params: userParams,
  query: removeUserQuery,
  async handle({ plane, principal, params, query }) {
    await plane.removeUser(principal, params.user, readFarewell(query.accounts, query.to));
    return undefined;
  },
});

export const createSignInLink = defineRoute({
  method: 'POST',
  path: '/api/users/:user/link',
  summary: 'A new link with which the person signs in, once',
  acts: ['issueSignInLink'],
  params: userParams,
  reply: signInLink,
  status: 201,
  async handle({ plane, principal, params }) {
    return plane.issueSignInLink(principal, params.user);
  },
});

function readFarewell(accounts: Farewell['accounts'] | undefined, to: string | undefined): Farewell | undefined {
  if (accounts === 'hand_over' && to !== undefined) return { accounts, to };
  if (accounts !== 'hand_over' && to === undefined) return accounts === undefined ? undefined : { accounts };
  throw new HelveError('invalid_input', 'accounts=hand_over and to belong together', {
    hint: 'Say accounts=hand_over&to=<the id of the person who gets them>, or accounts=remove.',
  });
}
