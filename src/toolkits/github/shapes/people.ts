/** People and what is said of them: a login is enough wherever they did something. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';

export interface RawUser {
  readonly login: string;
  readonly id?: number;
  readonly type?: string;
  readonly html_url?: string;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly bio?: string | null;
  readonly company?: string | null;
}

export const author = z.string().optional().describe('Login; absent for a deleted account');
export const time = z.string().describe('ISO 8601');

export const user = z.strictObject({
  login: z.string(),
  id: z.int(),
  type: z.string().optional().describe('User, Organization or Bot'),
  url: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  company: z.string().optional(),
  bio: z.string().optional(),
});

export const loginOf = (raw: RawUser | null | undefined): string | undefined => raw?.login;
export const loginsOf = (raw: readonly RawUser[] | null | undefined): string[] => (raw ?? []).map(({ login }) => login);

export function toUser(raw: RawUser & { readonly id: number }): z.input<typeof user> {
  return {
    login: raw.login,
    id: raw.id,
    type: raw.type,
    url: raw.html_url,
    name: orUndefined(raw.name),
    email: orUndefined(raw.email),
    company: orUndefined(raw.company),
    bio: orUndefined(raw.bio),
  };
}
