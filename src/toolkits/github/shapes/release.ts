/** Releases, without their assets. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { author, loginOf, type RawUser, time } from './people.js';

export interface RawRelease {
  readonly id: number;
  readonly tag_name: string;
  readonly name: string | null;
  readonly body?: string | null;
  readonly draft: boolean;
  readonly prerelease: boolean;
  readonly html_url: string;
  readonly author: RawUser | null;
  readonly created_at: string;
  readonly published_at: string | null;
}

export const releaseShape = z.strictObject({
  id: z.int(),
  tag: z.string(),
  name: z.string().optional(),
  body: z.string().optional(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  url: z.string(),
  author,
  created_at: time,
  published_at: time.optional(),
});

export function toRelease(raw: RawRelease): z.input<typeof releaseShape> {
  return {
    id: raw.id,
    tag: raw.tag_name,
    name: orUndefined(raw.name),
    body: orUndefined(raw.body),
    draft: raw.draft,
    prerelease: raw.prerelease,
    url: raw.html_url,
    author: loginOf(raw.author),
    created_at: raw.created_at,
    published_at: orUndefined(raw.published_at),
  };
}
