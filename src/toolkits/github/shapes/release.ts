/** Releases, without their assets. */
import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { authorFrom, optionalTextFrom, time, url } from './people.js';

export const releaseRecord = defineRecord({
  id: z.int(),
  tag: from('tag_name', z.string()),
  name: z.string().optional(),
  body: optionalTextFrom('body'),
  draft: z.boolean(),
  prerelease: z.boolean(),
  url,
  author: authorFrom('author'),
  created_at: time,
  published_at: time.optional(),
});
