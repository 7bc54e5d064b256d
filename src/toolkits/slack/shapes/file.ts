import { z } from 'zod';
import { toTime } from './channel.js';

export interface RawFile {
  readonly id: string;
  readonly name?: string | null;
  readonly title?: string | null;
  readonly mimetype?: string;
  readonly size?: number;
  readonly user?: string;
  readonly created?: number;
  readonly permalink?: string;
  readonly channels?: readonly string[];
}

export const fileShape = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  title: z.string().optional(),
  media_type: z.string().optional(),
  size: z.int().optional(),
  user: z.string().optional().describe('Id of who uploaded it'),
  created: z.string().optional(),
  permalink: z.string().optional(),
  channels: z.array(z.string()).optional().describe('Ids of the public channels it is shared in'),
});

export function toFile(raw: RawFile): z.input<typeof fileShape> {
  return {
    id: raw.id,
    name: raw.name ?? undefined,
    title: raw.title ?? undefined,
    media_type: raw.mimetype,
    size: raw.size,
    user: raw.user,
    created: toTime(raw.created),
    permalink: raw.permalink,
    channels: raw.channels === undefined ? undefined : [...raw.channels],
  };
}
