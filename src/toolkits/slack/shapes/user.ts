/** People and bots: their own descriptions of themselves are in the profile. */
import { z } from 'zod';
import { computed, defineRecord } from '../../../util/record.js';
import { flag, textOrNone } from './fields.js';

interface RealNames {
  readonly real_name?: string | null;
  readonly profile?: { readonly real_name?: string | null };
}

export const userRecord = defineRecord({
  id: z.string(),
  name: z.string().optional().describe('Handle'),
  real_name: computed(
    z.string().optional(),
    ({ real_name, profile }: RealNames) => (real_name ?? profile?.real_name) || undefined,
  ),
  display_name: textOrNone('profile.display_name'),
  email: textOrNone('profile.email'),
  title: textOrNone('profile.title'),
  status: textOrNone('profile.status_text'),
  time_zone: textOrNone('tz'),
  is_bot: flag('is_bot'),
  is_admin: flag('is_admin'),
  is_guest: flag('is_restricted'),
  is_deleted: flag('deleted'),
});

/** The owner of the token, as `auth.test` answers. */
export const currentUserRecord = defineRecord({
  user_id: z.string(),
  user: z.string(),
  team_id: z.string(),
  team: z.string(),
  url: z.string(),
  bot_id: z.string().optional().describe('Present when it acts as a bot'),
});
