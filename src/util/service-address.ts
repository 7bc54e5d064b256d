/** The address of a toolkit's service: the usual one, or another that the operator's settings name. */
import { z } from 'zod';
import type { JsonValue } from '../domain/json.js';
import type { ServerAddress } from '../domain/service.js';

/** For settings: `https://api.example.com/v1`. */
export const serviceAddress = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/[^\s?#]+$/)
  .optional();

export const chooseServer = (named: JsonValue | undefined, usual: string): ServerAddress =>
  typeof named === 'string' ? { url: named, named: true } : { url: usual };
