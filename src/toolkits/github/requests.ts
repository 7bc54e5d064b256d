/** How tools ask GitHub: one request, conditional reads, and writes whose answer was lost. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { fillRequest } from '../../util/fill-request.js';

interface Sent {
  /** `POST /repos/{owner}/{repo}/issues`: what the input has beside the names in braces is the query or the body. */
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

/** The address of a file or folder. The slashes of its path stay slashes. */
export function contentsPath(repository: { readonly owner: string; readonly repo: string }, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const { path: root } = fillRequest('GET /repos/{owner}/{repo}/contents', repository);
  return [root, ...segments.map(encodeURIComponent)].join('/');
}

/** Reads a thing unless it is still what `etag` stands for; a 304 costs nothing of GitHub's limit. */
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
 * A write that GitHub refuses to do twice (its SHA no longer fits, the name is taken, the thing is gone). Sending it
 * again blindly would turn a success whose answer was lost into a refusal; so it is sent once, and after a lost answer
 * `lookUp` says what became of it. Undefined: it has not happened, and the same call may safely be made again.
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
      // Still not known: the first error says so.
      throw error;
    }
    if (found !== undefined) return found;
    throw new HelveError('upstream_failed', 'GitHub’s answer was lost, and the change is not there', {
      hint: 'The same call can be made again: should the first one arrive late after all, GitHub refuses the second.',
      cause: error,
    });
  }
}

/** For look-ups: that something is not there is an answer. */
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

/** A deletion that is sent once; after a lost answer it is done if nothing can be read at `lookUp`. */
export async function deleteOnce(service: ServiceClient, path: string, lookUp: string): Promise<void> {
  await writeOnce<true>(
    async () => {
      await service.request({ method: 'DELETE', path });
      return true;
    },
    async () => ((await findJson(service, { path: lookUp })) === undefined ? true : undefined),
  );
}
