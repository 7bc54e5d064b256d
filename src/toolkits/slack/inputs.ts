/** Input fields that many tools share. */
import { z } from 'zod';

export const channel = z
  .string()
  .regex(/^(?:[CDG][A-Z0-9]{2,30}|#?[^\sA-Z#@,:/]{1,80})$/)
  .describe('Id (C012AB3CD) or name (#general)');
export const user = z
  .string()
  .regex(/^[UWB][A-Z0-9]{2,30}$/)
  .describe('Id: U012AB3CD');
export const ts = z
  .string()
  .regex(/^\d{1,12}\.\d{1,6}$/)
  .describe('As Slack gave it: 1503435956.000247');
export const threadTs = ts.describe('ts of the first message of the thread').optional();
export const text = z
  .string()
  .min(1)
  .max(40_000)
  .describe(
    'mrkdwn: *bold* _italic_ `code` <https://example.com|link> <@U012AB3CD>; & < > themselves as &amp; &lt; &gt;. With blocks: what notifications show',
  );
export const blocks = z
  .array(z.looseObject({ type: z.string().max(50) }))
  .min(1)
  .max(50)
  .describe('Block Kit');
export const emoji = z
  .string()
  .regex(/^[^\s:]{1,100}(?:::skin-tone-[2-6])?$/)
  .describe('Without colons: thumbsup');
export const cursor = z.string().min(1).max(2_000).optional().describe('next_cursor of the previous answer');
export const next_cursor = z.string().optional().describe('Absent on the last page');
export const limit = (most: number) => z.int().min(1).max(most).default(Math.min(100, most));
export const paging = {
  count: z.int().min(1).max(100).default(20).describe('Of one page'),
  page: z.int().min(1).max(100).default(1),
};
export const next_page = z.int().optional().describe('Absent on the last page');
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/)
  .describe('2026-01-31T09:00:00Z');
