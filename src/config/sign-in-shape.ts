/** `sign_in` in `helve.yaml`: the OpenID providers where people may sign in. */
import { z } from 'zod';
import type { IdentityProvider } from '../domain/identity.js';
import { defined } from '../util/defined.js';
import { parseUrl } from '../util/parse-url.js';

const groups = z.array(z.string().min(1)).default([]);

const providerShape = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'use lower-case letters, digits and -, starting with a letter'),
    title: z.string().min(1).max(60).optional(),
    issuer: z.string().refine(isIssuer, 'is an https: address without a query, or http: on this machine'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).meta({ secret: true }).optional(),
    scopes: z.array(z.string().min(1)).default(['profile', 'email']),
    groups_claim: z.string().min(1).default('groups'),
    roles: z
      .strictObject({ admin: groups, auditor: groups, member: groups })
      .refine((roles) => Object.values(roles).some((list) => list.length > 0), 'must give at least one group a role')
      .optional(),
    create_users: z.boolean().default(false),
    workspace: z.string().min(1).default('default'),
  })
  .refine(({ create_users, roles }) => !create_users || roles !== undefined, {
    path: ['create_users'],
    error: 'needs roles: they say which groups may sign in, and with which role',
  });

export const signInShape = z
  .strictObject({
    oidc: z
      .array(providerShape)
      .default([])
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'two providers have the same name'),
  })
  .prefault({});

/** Tokens and codes go to this address, so plain http: stays on this machine. */
function isIssuer(text: string): boolean {
  const url = parseUrl(text);
  if (url?.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
}

export function readIdentityProviders({ oidc }: z.infer<typeof signInShape>): readonly IdentityProvider[] {
  return oidc.map(({ name, title = name, issuer, client_id, client_secret, scopes, roles, ...more }) => ({
    name,
    title,
    issuer,
    clientId: client_id,
    scopes,
    groupsClaim: more.groups_claim,
    createUsers: more.create_users,
    workspace: more.workspace,
    ...defined({ clientSecret: client_secret, roles }),
  }));
}
