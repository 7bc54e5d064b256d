/** How tools read GitHub's answers: as a record or as a page of records. */
import { z } from 'zod';
import type { ServiceResponse } from '../../domain/service.js';

interface AnyRecord {
  readonly shape: z.ZodObject;
  read(raw: object): Record<string, unknown>;
}

/** Every record is an `Answer`, which is read from the body alone. A page also needs the headers of the response. */
export interface Answer {
  readonly shape: z.ZodObject;
  read(body: object, response?: ServiceResponse): Record<string, unknown>;
}

const nextPage = { next_page: z.int().optional().describe('Absent on the last page') };

/** For a body that is a list. */
export function definePage(name: string, record: AnyRecord): Answer {
  return {
    shape: z.strictObject({ [name]: z.array(record.shape), ...nextPage }),
    read: (body: readonly object[], response) => ({
      [name]: body.map((raw) => record.read(raw)),
      next_page: readNextPage(response),
    }),
  };
}

/** For a body that is an object with a list in it. */
export function withNextPage(record: AnyRecord): Answer {
  return {
    shape: z.strictObject({ ...record.shape.shape, ...nextPage }),
    read: (body, response) => ({ ...record.read(body), next_page: readNextPage(response) }),
  };
}

/** Added to the output of tools that take an `etag`. */
export const conditionalOutput = {
  etag: z.string().optional(),
  not_modified: z.literal(true).optional().describe('Nothing changed since the etag; the rest is left out'),
};

/** `<https://…?per_page=3&page=2>; rel="next", <…>; rel="last"` → 2. */
export function readNextPage({ headers }: Pick<ServiceResponse, 'headers'> = { headers: {} }): number | undefined {
  for (const [, address = '', parameters = ''] of (headers.link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/\brel="?next"?/.test(parameters)) continue;
    const page = Number(/[?&]page=(\d+)/.exec(address)?.[1]);
    return Number.isSafeInteger(page) ? page : undefined;
  }
  return undefined;
}
