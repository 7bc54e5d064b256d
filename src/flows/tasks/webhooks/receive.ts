/**
 * Deliveries of services. What a delivery is about and who signed it determine the source that it belongs to. Nothing
 * is written until the signature of a source has been verified; the delivery is then applied in the workspace of that
 * source only.
 */
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import {
  type TaskSource,
  type TaskSourceActs,
  taskSourceSubject,
  type WebhookDelivery,
  type WebhookProvider,
} from '../../../domain/task-source.js';
import { parseBoundedJson } from '../../../util/json-text.js';
import type { SourceParts } from '../sources/parts.js';
import { findSourcePerson } from '../sources/standing.js';
import { applyNews } from './apply.js';
import { githubWebhooks } from './github.js';
import { linearWebhooks } from './linear.js';
import type { WebhookReader } from './news.js';
import { followRepo } from './repo-rules.js';

const readers: ReadonlyMap<WebhookProvider, WebhookReader> = new Map(
  [githubWebhooks, linearWebhooks].map((reader) => [reader.provider, reader]),
);

/** Sources whose signatures are tried for one delivery. */
const maxTried = 50;

/** Compared when there is no source, so that the time does not tell whether there is one. */
const noSecret = 'a delivery for which there is no source';

interface Found {
  readonly workspaceId: string;
  readonly source: TaskSource;
}

export function createReceiving(parts: SourceParts): Pick<TaskSourceActs, 'receiveWebhook'> {
  return {
    async receiveWebhook(provider, delivery) {
      const reader = readers.get(provider);
      if (!reader) throw refused();
      const body = readBody(delivery.body);
      if (reader.ignores(body)) return { accepted: false };
      const senders = await findSenders(parts, reader, { delivery, body });
      if (senders.length === 0) throw refused();
      reader.requireFresh?.(body, parts.now());
      const news = reader.read(body);
      const place = reader.placeOf(body);
      let accepted = false;
      for (const { workspaceId, source } of senders) {
        const person = await findSourcePerson(parts, workspaceId, source);
        // The source says why it does not work.
        if (typeof person === 'string') continue;
        // Any signed delivery makes the repository known, even a ping, because the others may be lost.
        if (place) await followRepo(parts, workspaceId, place);
        if (news && (await applyNews(parts, { person, source, news }))) accepted = true;
      }
      return { accepted };
    },
  };
}

/** The sources that have signed the delivery: for each workspace the one with the narrowest scope. */
async function findSenders(
  parts: SourceParts,
  { provider, scopes, isSigned }: WebhookReader,
  { delivery, body }: { readonly delivery: WebhookDelivery; readonly body: JsonObject },
): Promise<readonly Found[]> {
  const named = scopes(body);
  const found = await parts.storage.system.findTaskSources(provider, named);
  const rank = ({ source: { scope } }: Found) => named.findIndex((one) => one.toLowerCase() === scope.toLowerCase());
  const senders = new Map<string, Found>();
  if (found.length === 0) isSigned(delivery, noSecret);
  for (const one of found.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxTried)) {
    const secret = await openSecret(parts, one);
    if (isSigned(delivery, secret ?? noSecret) && secret !== undefined && !senders.has(one.workspaceId))
      senders.set(one.workspaceId, one);
  }
  return [...senders.values()];
}

/** Undefined if the source was removed just now, or if no key opens its secret. */
async function openSecret(
  { storage, accounts }: SourceParts,
  { workspaceId, source }: Found,
): Promise<string | undefined> {
  const subject = taskSourceSubject(source);
  const secret = await storage.workspace(workspaceId).secrets.find(subject);
  if (!secret) return undefined;
  return accounts.vault.open({ workspaceId, subject }, secret).catch((error: unknown) => {
    if (error instanceof HelveError && error.code === 'connection_inaccessible') return undefined;
    throw error;
  });
}

function readBody(bytes: Uint8Array): JsonObject {
  let body: unknown;
  try {
    body = parseBoundedJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof HelveError) throw error;
    throw new HelveError('invalid_input', 'The delivery is not JSON', {
      hint: 'Set the content type of the webhook to application/json.',
    });
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject;
  throw new HelveError('invalid_input', 'The delivery is not a JSON object');
}

/** The same answer whether there is no source or the secret is another one. */
function refused(): HelveError {
  return new HelveError(
    'unauthenticated',
    'The delivery is not signed with the secret of a task source that it belongs to',
    {
      hint: 'Make a source for this repository or team with helve task source add, and enter its secret in the webhook.',
    },
  );
}
