/** Credentials: tokens, keys and sessions, without their secrets. */
import { z } from 'zod';
import { credential, idParams, issuedCredential, keyBody } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listCredentials = defineRoute({
  method: 'GET',
  path: '/api/credentials',
  summary: 'All credentials of the workspace, without their secrets',
  acts: ['credentials'],
  reply: z.object({ credentials: z.array(credential) }),
  async handle({ plane, principal }) {
    return { credentials: await plane.credentials(principal) };
  },
});

export const createKey = defineRoute({
  method: 'POST',
  path: '/api/keys',
  summary: 'Create an API key with these permissions, or with a role; it is shown only once',
  acts: ['createApiKey'],
  body: keyBody,
  reply: issuedCredential,
  status: 201,
  async handle({ plane, principal, body }) {
    return plane.createApiKey(principal, defined(body));
  },
});

export const revokeCredential = defineRoute({
  method: 'DELETE',
  path: '/api/credentials/:id',
  summary: 'Revoke a token, key or session permanently',
  acts: ['revokeCredential'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.revokeCredential(principal, params.id);
    return undefined;
  },
});

export const createAdminLink = defineRoute({
  method: 'POST',
  path: '/api/admin-links',
  summary: "A link that signs the workspace's admin in, once; needs every permission",
  acts: ['issueAdminLink'],
  reply: issuedCredential,
  status: 201,
  async handle({ plane, principal }) {
    return plane.issueAdminLink(principal);
  },
});
