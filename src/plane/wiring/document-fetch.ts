/** Fetches the documents in which OAuth clients describe themselves. */
import { type FetchDocument, unreadableDocument } from '../../flows/authorizing/index.js';
import { createEgress, type EgressPolicy } from '../../walls/egress/index.js';

const maxBytes = 64 * 1024;
const timeoutMs = 5_000;

/** Public addresses only, no redirects, within limits. `policy`: for tests, which have no public address. */
export function createDocumentFetch(policy: EgressPolicy = { schemes: ['https:'] }): FetchDocument {
  return async (url) => {
    // Created for each fetch: each host is asked only every few minutes, and nothing is left to close.
    const egress = createEgress({ ...policy, timeoutMs, maxBytes });
    try {
      const response = await egress.fetch({ url, redirect: 'error', headers: { accept: 'application/json' } });
      const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      if (response.status !== 200) throw unreadableDocument(`answers with status ${response.status}`);
      if (type !== 'application/json' && !type.endsWith('+json')) throw unreadableDocument('is not JSON');
      return response.text();
    } finally {
      await egress.close();
    }
  };
}
