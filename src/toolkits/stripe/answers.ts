/** How tools read Stripe's answers: as a record or as a page of records; and fields that many records have. */
import { z } from 'zod';
import { from } from '../../util/record.js';

/** Every record is an `Answer`. */
export interface Answer {
  readonly shape: z.ZodObject;
  read(raw: object): Record<string, unknown>;
}

interface RawPage {
  readonly data: readonly { readonly id?: string }[];
  readonly has_more: boolean;
  /** Only in searches. */
  readonly next_page?: string | null;
}

/** The next page of a list starts after the last id of this one. */
export function definePage(name: string, record: Answer): Answer {
  return defineAnyPage(name, record, ({ data }) => data.at(-1)?.id);
}

export function defineSearchPage(name: string, record: Answer): Answer {
  return defineAnyPage(name, record, ({ next_page }) => next_page ?? undefined);
}

function defineAnyPage(name: string, record: Answer, readNext: (raw: RawPage) => string | undefined): Answer {
  const next = z.string().optional().describe('For the next page; absent on the last');
  return {
    shape: z.strictObject({ [name]: z.array(record.shape), next }),
    read: (raw: RawPage) => ({
      [name]: raw.data.map((one) => record.read(one)),
      next: raw.has_more ? readNext(raw) : undefined,
    }),
  };
}

export const money = z
  .int()
  .describe(
    'In the smallest unit of currency; zero-decimal ones (JPY …) have none, but ISK and UGX count in hundredths',
  );
export const metadata = z.record(z.string(), z.string()).optional();

/** The id of another object, which Stripe sends as an id, or as the whole object if it was asked to expand it. */
export const idFrom = (path: string, description?: string) => {
  const id = z.string().optional();
  return from(
    path,
    description === undefined ? id : id.describe(description),
    (reference: string | { readonly id: string }) => (typeof reference === 'string' ? reference : reference.id),
  );
};

/** A time that Stripe gives in seconds since 1970, as ISO 8601. */
export const timeFrom = (path: string) =>
  from(path, z.string().optional(), (time) =>
    typeof time === 'number' ? new Date(time * 1_000).toISOString() : undefined,
  );
