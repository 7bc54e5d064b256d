/** People and bots: their own words for themselves are in the profile. */
import { z } from 'zod';

export interface RawUser {
  readonly id: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_admin?: boolean;
  readonly is_restricted?: boolean;
  readonly tz?: string;
  readonly profile?: {
    readonly real_name?: string;
    readonly display_name?: string;
    readonly email?: string;
    readonly title?: string;
    readonly status_text?: string;
  };
}

export const userShape = z.strictObject({
  id: z.string(),
  name: z.string().optional().describe('Handle'),
  real_name: z.string().optional(),
  display_name: z.string().optional(),
  email: z.string().optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  time_zone: z.string().optional(),
  is_bot: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_deleted: z.boolean(),
});

export function toUser({ profile = {}, ...raw }: RawUser): z.input<typeof userShape> {
  return {
    id: raw.id,
    name: raw.name,
    real_name: (raw.real_name ?? profile.real_name) || undefined,
    display_name: profile.display_name || undefined,
    email: profile.email || undefined,
    title: profile.title || undefined,
    status: profile.status_text || undefined,
    time_zone: raw.tz || undefined,
    is_bot: raw.is_bot === true,
    is_admin: raw.is_admin === true,
    is_guest: raw.is_restricted === true,
    is_deleted: raw.deleted === true,
  };
}
