/**
 * How many mails an agent may send within a clock hour (UTC). Each mail takes a numbered place that only one process can
 * create, so that several processes on one store never give out more places than there are; the pipeline's own limits
 * count in one process's memory.
 */
import type { ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { sha256 } from '../../util/hash.js';

const mostForgotten = 50;

type Parts = Pick<ToolContext, 'documents' | 'caller' | 'executionId'>;

/** Throws `rate_limited`. A place that was taken stays taken, even if the mail fails. */
export async function admitThisHour(most: number, { documents, caller, executionId }: Parts): Promise<void> {
  const now = new Date();
  const base = `/sent/${caller.kind}/${caller.id}/`;
  const hour = `${base}${now.toISOString().slice(0, 13)}/`;
  const taken = new Set((await documents.list({ prefix: hour })).map(({ path }) => path));
  if (taken.size === 0) await forgetBefore(hour, base, documents);
  for (let place = 0; place < most; place++) {
    const path = `${hour}${String(place).padStart(3, '0')}`;
    if (taken.has(path)) continue;
    const row = { path, mediaType: 'text/plain', hash: sha256(executionId), content: executionId };
    if ((await documents.put(row)) === 'created') return;
  }
  const retryAfterSeconds = 3_600 - (Math.floor(now.getTime() / 1_000) % 3_600);
  throw new HelveError('rate_limited', `${most} mails were sent within this hour, which is the limit`, {
    hint: `Wait ${retryAfterSeconds} s before the next mail.`,
    details: { retryAfterSeconds },
  });
}

async function forgetBefore(hour: string, base: string, documents: Parts['documents']): Promise<void> {
  const old = await documents.list({ prefix: base, limit: mostForgotten });
  for (const { path } of old) if (path < hour) await documents.delete(path);
}
