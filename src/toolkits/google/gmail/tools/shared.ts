/** What Gmail's tools have in common. */
import { z } from 'zod';
import { googleSettings } from '../../settings.js';

export const common = { group: 'Gmail', settingsSchema: googleSettings } as const;

export const gmailId = z.string().min(1).max(200);

/** Gmail may replace it. */
export const messageIdOutput = z
  .string()
  .describe('The Message-ID it was given; get_gmail_message shows what Gmail made of it');

export const labelsInput = z.array(z.string().min(1).max(300)).min(1).max(50).describe('Names or ids of labels');
