/** What the tools of the database share. */
import { z } from 'zod';

export const connectionName = z.string().min(1).max(100).describe('Name of the database');

export const answerShape = {
  columns: z.array(z.string()),
  rows: z
    .array(z.array(z.json()))
    .describe('Values in the order of columns; big integers and times as text, bytes as base64'),
  row_count: z.int(),
  truncated: z.boolean().describe('Whether rows were left out at a limit'),
};
