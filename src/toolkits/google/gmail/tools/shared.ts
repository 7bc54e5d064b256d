/** What Gmail's tools have in common. */
import { z } from 'zod';
import { googleSettings } from '../../settings.js';

export const common = { group: 'Gmail', settingsSchema: googleSettings } as const;

export const gmailId = z.string().min(1).max(200);

export const pageFields = {
  page_token: z.string().max(2_000).optional().describe('next_page_token of the page before'),
};

export const nextPage = { next_page_token: z.string().optional().describe('Absent on the last page') };

export const labelsInput = z.array(z.string().min(1).max(300)).min(1).max(50).describe('Names or ids of labels');
