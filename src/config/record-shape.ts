/** The part `record` of `helve.yaml`: how long rows stay in the store before they move to archives. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** Shorter, and what people look for is no longer found. */
const leastDays = 30;

export const recordShape = z
  .strictObject({
    keep: z
      .string()
      .regex(/^[1-9]\d{0,4}d$/, 'write it as days: 400d')
      .refine((text) => Number(text.slice(0, -1)) >= leastDays, `at least ${leastDays}d`),
    archive_to: z.string().refine(isAbsolute, 'use an absolute path'),
  })
  .optional();

export interface RetentionSettings {
  readonly keepDays: number;
  /** An absolute path. */
  readonly folder: string;
}

export const readRetention = (shape: z.infer<typeof recordShape>): RetentionSettings | undefined =>
  shape && { keepDays: Number(shape.keep.slice(0, -1)), folder: shape.archive_to };
