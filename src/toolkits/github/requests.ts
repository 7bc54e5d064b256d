/** How tools call GitHub: one request, conditional reads, and writes whose answer was lost. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest, ServiceResponse } from '../../domain/service.js';
import type { Idempotency } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import { fillRequest } from '../../util/fill-request.js';

interface Sent {
  /** `POST /repos/{owner}/{repo}/issues`: inputs that the address does not name are the query or the body. */
  readonly request: string;
  readonly input: object;
  parameters?(rest: object): object;
  readonly repeatable?: boolean;
}

export function send(
  service: ServiceClient,
  { request, input, parameters, repeatable }: Sent,
): Promise<ServiceResponse> {
  const { method, path, rest } = fillRequest(request, input);
  const sent = parameters ? parameters(rest) : rest;
  if (method === 'GET') return service.request({ path, query: sent as ServiceRequest['query'] });
  return service.request({ method, path, json: sent, ...defined({ repeatable }) });
}

/** The address of a file or folder; the slashes of its path are not encoded. */
export function contentsPath(repository: { readonly owner: string; readonly repo: string }, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const { path: root } = fillRequest('GET /repos/{owner}/{repo}/contents', repository);
  return [root, ...segments.map(encodeURIComponent)].join('/');
}

/** Reads something unless it still has the given `etag`; a 304 does not count against GitHub's limit. */
export async function getUnlessSame<Raw, Thing extends object>(
  service: ServiceClient,
  { etag, ...request }: Pick<ServiceRequest, 'path' | 'query'> & { readonly etag: string | undefined },
  read: (body: Raw) => Thing | Promise<Thing>,
) {
  const condition = etag === undefined ? {} : { headers: { 'if-none-match': etag }, accept: [304] };
  const response = await service.request({ ...request, ...condition });
  const tag = response.headers.etag ?? etag;
  if (response.status === 304) return { etag: tag, not_modified: true as const };
  return { ...(await read(response.json<Raw>())), etag: tag };
}

/**
 * For a write that GitHub refuses the second time: its SHA no longer matches, the name is taken, or the object is gone.
 * If it was sent again after a lost answer, a success would look like a refusal. So it is sent once, and after a lost
 * answer `lookUp` returns the result. If `lookUp` returns undefined, the write has not happened and can be called again.
 */
export async function writeOnce<Result>(
  write: () => Promise<Result>,
  lookUp: () => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'outcome_unknown') throw error;
    let found: Result | undefined;
    try {
      found = await lookUp();
    } catch {
      // The outcome is still unknown, as the first error says.
      throw error;
    }
    if (found !== undefined) return found;
    throw new HelveError('upstream_failed', 'GitHub’s answer was lost, and the change is not there', {
      hint: 'You can make the same call again: if the first one still arrives, GitHub refuses the second.',
      cause: error,
    });
  }
}

/** Undefined if GitHub does not find it. */
export async function findJson<Raw>(
  service: ServiceClient,
  request: Pick<ServiceRequest, 'path' | 'query'>,
): Promise<Raw | undefined> {
  try {
    return await service.json<Raw>(request);
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** For a probe by state: if the object is gone, it has been deleted. */
export const byAbsence: Idempotency = { by: 'probe', how: 'What GitHub no longer finds counts as deleted' };

/** Sends a deletion once. After a lost answer it counts as done if there is nothing to read at `lookUp`. */
export async function deleteOnce(service: ServiceClient, path: string, lookUp: string): Promise<void> {
  await writeOnce<true>(
    async () => {
      await service.request({ method: 'DELETE', path });
      return true;
    },
    async () => ((await findJson(service, { path: lookUp })) === undefined ? true : undefined),
  );
}
