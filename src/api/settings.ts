/** The effective settings, and whether everything is in order: shapes. */
import { z } from 'zod';
import { storedKinds } from '../domain/store-sizes.js';
import { namedShapes } from './shapes.js';

export const setting = z.object({
  key: z.string().describe('The key in helve.yaml, or the name of a variable'),
  isSet: z.boolean(),
  secret: z.literal(true).optional().describe('Its value is never shown'),
  value: z.json().optional(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('default') }),
    z.object({ kind: z.literal('environment'), variable: z.string() }),
    z.object({ kind: z.literal('option'), option: z.string() }).describe('Of the command line'),
    z.object({
      kind: z.literal('file'),
      file: z.string(),
      line: z.number(),
      variables: z.array(z.string()).optional().describe('Those that the written value refers to'),
    }),
  ]),
});
namedShapes.add(setting, { id: 'Setting' });

export const doctorQuery = z.strictObject({
  record: z
    .enum(['verify', 'skip'])
    .optional()
    .describe('`skip`: the record is not read, which takes seconds if it is long. Default: verify'),
});

export const doctorCheck = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  detail: z.string(),
  hint: z.string().optional().describe('What to do about it'),
});
namedShapes.add(doctorCheck, { id: 'DoctorCheck' });

const kindSize = z.object({
  kind: z.enum(storedKinds),
  rows: z.int(),
  bytes: z.int().describe('Of their texts, estimated from a few rows; without indexes'),
});

export const storeSizes = z.object({
  wholeBytes: z.int().optional().describe('Of the whole store with its indexes; only for the first workspace'),
  kinds: z.array(kindSize).describe('The largest first'),
  record: z.object({
    rows: z.int().describe('All that were ever written'),
    archived: z.int().describe('How many of them are in archives'),
    rowsInWeek: z.int().describe('Written in the last seven days'),
    bytesInWeek: z.int(),
  }),
  removable: z
    .array(z.object({ keepDays: z.int(), rows: z.int(), isPolicy: z.boolean().describe('Of helve.yaml') }))
    .describe('What would leave the store now if rows were kept for so long'),
});
namedShapes.add(storeSizes, { id: 'StoreSizes' });
