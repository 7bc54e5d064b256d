/** Releases, without their assets. */
import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { authorFrom, time, url } from './people.js';

export const releaseRecord = defineRecord({
  id: z.int(),
  tag: from('tag_name', z.string()),
  name: z.string().optional(),
  body: z.string().optional(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  url,
  author: authorFrom('author'),
  created_at: time,
  published_at: time.optional(),
});
