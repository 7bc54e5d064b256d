/** Reading and changing through the REST API, as hooks. */
import {
  type InvalidateQueryFilters,
  type QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { type Permission, useSession } from '../shell/session.js';
import { readPermissions } from './read-permissions.js';
import { type ApiKey, type Problem, type Reply, type RequestOptions, send } from './request.js';

interface ReadSettings<Data> {
  /** False: does not ask yet. */
  readonly enabled?: boolean;
  /** Asks again after this many milliseconds; false: only when something changes. */
  readonly refetchInterval?: number | false | ((data: Data | undefined) => number | false);
}

/** `missing`: the missing permission, without which nothing is requested. */
export type Read<Data> = UseQueryResult<Data, Problem> & { readonly missing?: Permission | undefined };

/**
 * The answer of a route. It is requested again after any change made here and when the event stream reports a change.
 * Nothing is requested that the person may not read.
 */
export function useRead<Key extends ApiKey>(
  route: Key,
  options?: RequestOptions<Key>,
  settings: ReadSettings<Reply<Key>> = {},
): Read<Reply<Key>> {
  const { refetchInterval = false, enabled = true } = settings;
  const session = useSession();
  const missing = (readPermissions[route] ?? []).find(
    (each) => session !== undefined && !session.permissions.includes(each),
  );
  const query = useQuery<Reply<Key>, Problem>({
    queryKey: [route, options ?? {}],
    queryFn: () => send(route, options),
    enabled: enabled && session !== undefined && missing === undefined,
    // While another filter is asked for, the list stays. What belongs to another thing, or answers another question, does not.
    placeholderData: (before, asked) => (isSameThing(asked?.queryKey[1], options) ? (before as never) : undefined),
    refetchInterval:
      typeof refetchInterval === 'function' ? (query) => refetchInterval(query.state.data) : refetchInterval,
  });
  return { ...query, missing };
}

/**
 * Changes something. Afterwards everything on the page is requested again, because one change shows in many places. The second
 * click of a double click comes before the button is disabled: it gets the answer to the first, and sends nothing.
 */
export function useAct<Key extends ApiKey>(
  route: Key,
  onDone?: (reply: Reply<Key>, options: RequestOptions<Key>) => void | Promise<void>,
) {
  const queries = useQueryClient();
  const underway = useRef(new Map<string, Promise<Reply<Key>>>());
  const sendOnce = (options: RequestOptions<Key>) => {
    const key = JSON.stringify(options);
    const sent = underway.current.get(key) ?? send(route, options).finally(() => underway.current.delete(key));
    underway.current.set(key, sent);
    return sent;
  };
  return useMutation<Reply<Key>, Problem, RequestOptions<Key>>({
    mutationFn: sendOnce,
    // A secret in a reply is not kept when the page is left.
    gcTime: 0,
    onSuccess: async (reply, options) => {
      await askAgain(queries);
      await onDone?.(reply, options);
    },
  });
}

/**
 * Asks again for what the page shows, and for the rest when it is next shown. An answer that is still on its way to a page
 * that was left is dropped: it would count as new, although it may be from before the change.
 */
export async function askAgain(queries: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  await queries.cancelQueries({ ...filters, type: 'inactive' });
  await queries.invalidateQueries(filters);
}

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Fetches the next page. Does nothing on the last page, or while a fetch is running. */
export function useReadMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
}

interface Identity {
  readonly params?: unknown;
  readonly body?: unknown;
}

/** Whether two requests of a route differ at most in their filter. */
function isSameThing(one: unknown, other: unknown): boolean {
  const identify = ({ params, body }: Identity = {}) => JSON.stringify([params, body]);
  return identify(one as Identity | undefined) === identify(other as Identity | undefined);
}
