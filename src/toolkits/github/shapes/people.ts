/** Users, and fields that many records have. Other records name a user by login only. */
import { z } from 'zod';
import { defineRecord, from, orElse } from '../../../util/record.js';
import { withoutMarker } from '../marker.js';

export const time = z.string().describe('ISO 8601');
export const url = from('html_url', z.string());
export const optionalUrl = from('html_url', z.string().optional());

/** A text without the marker of its effect. */
export const optionalTextFrom = (path: string) => from(path, z.string().optional(), withoutMarker);
export const textFrom = (path: string) => orElse(from(path, z.string(), withoutMarker), '');

const login = z.string().optional().describe('Login; absent for a deleted account');
export const authorFrom = (path: string) => from(`${path}.login`, login);
/** The names of the items of a list; an empty list if GitHub leaves it out. */
export const namesFrom = <Name extends string>(path: string, name: Name) =>
  orElse(
    from(path, z.array(z.string()), (items: readonly Record<Name, string>[]) => items.map((item) => item[name])),
    [],
  );

export const userRecord = defineRecord({
  login: z.string(),
  id: z.int(),
  type: z.string().optional().describe('User, Organization or Bot'),
  url: optionalUrl,
  name: z.string().optional(),
  email: z.string().optional(),
  company: z.string().optional(),
  bio: z.string().optional(),
});
