/** Fields that Google's records and tools share. */
import { z } from 'zod';
import { from, orElse } from '../../util/record.js';

/** A number. Google leaves it out if it is 0. */
export const count = (path: string) => orElse(from(path, z.number()), 0);

export const pageToken = z.string().max(2_000).optional().describe('next_page_token of the previous page');

export const nextPageToken = z.string().optional().describe('Absent on the last page');
