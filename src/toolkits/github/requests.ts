/** What tools ask GitHub in more than one place: addresses, pages, conditional reads, writes whose answer was lost. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest } from '../../domain/service.js';
import { defined } from '../../util/defined.js';

/** An address below a repository; each part is one segment: `repoPath(input, 'branches', 'feature/x')`. */
export function repoPath(
  { owner, repo }: { readonly owner: string; readonly repo: string },
  ...parts: readonly (string | number)[]
): string {
  return ['/repos', owner, repo, ...parts]
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** The slashes of a file's path stay slashes. */
export function contentsPath(repository: { readonly owner: string; readonly repo: string }, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return repoPath(repository, 'contents', ...segments);
}

/** GitHub's list envelope is the `Link` header. Items come as they are. */
export async function getPage<Raw>(
  service: ServiceClient,
  path: string,
  query: ServiceRequest['query'],
): Promise<{ readonly body: Raw; readonly next_page: number | undefined }> {
  const response = await service.request({ path, ...defined({ query }) });
  return { body: response.json<Raw>(), next_page: nextPageOf(response.headers.link) };
}

/** `<https://…?per_page=3&page=2>; rel="next", <…>; rel="last"` → 2. */
function nextPageOf(link: string | undefined): number | undefined {
  for (const [, address = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/\brel="?next"?/.test(parameters)) continue;
    const page = Number(/[?&]page=(\d+)/.exec(address)?.[1]);
    return Number.isSafeInteger(page) ? page : undefined;
  }
  return undefined;
}

export type Conditional<Raw> =
  | { readonly body: Raw; readonly etag: string | undefined }
  | { readonly body: undefined; readonly etag: string | undefined };

/** Reads a thing unless it is still what `etag` stands for; a 304 costs nothing of GitHub's limit. */
export async function getUnlessSame<Raw>(
  service: ServiceClient,
  request: Pick<ServiceRequest, 'path' | 'query'>,
  etag: string | undefined,
): Promise<Conditional<Raw>> {
  const response = await service.request({
    ...request,
    ...(etag === undefined ? {} : { headers: { 'if-none-match': etag }, accept: [304] }),
  });
  const tag = response.headers.etag ?? etag;
  return response.status === 304 ? { body: undefined, etag: tag } : { body: response.json<Raw>(), etag: tag };
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

/** The sides of an answer that GitHub leaves out or sets to null. */
export function orUndefined<Value>(value: Value | null | undefined): Value | undefined {
  return value ?? undefined;
}
