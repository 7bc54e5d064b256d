/** Who is signed in, and what they may do. */
import { useQuery } from '@tanstack/react-query';
import { type Reply, send } from '../server/request.js';

type Session = Reply<'GET /api/session'>;
export type Permission = Session['permissions'][number];

export const sessionQuery = {
  queryKey: ['session'],
  queryFn: () => send('GET /api/session'),
  staleTime: 60_000,
  // Somebody else may have signed in in another tab.
  refetchOnWindowFocus: 'always',
} as const;

export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the person may do it. The server decides; this only explains disabled buttons. */
export function useMay(permission: Permission | undefined): boolean {
  const session = useSession();
  return permission === undefined || (session?.permissions.includes(permission) ?? false);
}
