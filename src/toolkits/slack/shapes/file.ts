import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { time } from './fields.js';

export const fileRecord = defineRecord({
  id: z.string(),
  name: z.string().optional(),
  title: z.string().optional(),
  media_type: from('mimetype', z.string().optional()),
  size: z.int().optional(),
  user: z.string().optional().describe('Id of who uploaded it'),
  created: time('created'),
  permalink: z.string().optional(),
  channels: z.array(z.string()).optional().describe('Ids of the public channels it is shared in'),
});
