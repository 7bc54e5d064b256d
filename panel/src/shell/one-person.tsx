/** What the page holds belongs to the person who is signed in, with the rights that they have now. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { sessionQuery, useSession } from './session.js';

/**
 * Begins the page anew if another person has signed in in this browser: what the one before has read or typed goes. If the
 * person has other rights now, what was read with the rights before goes, and is asked for again.
 */
export function OnePerson({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const session = useSession();
  const [known, setKnown] = useState(session);
  if (known === undefined && session !== undefined) setKnown(session);
  const isOther = session?.user.id !== known?.user.id;
  const hasOtherRights = String(session?.permissions) !== String(known?.permissions);
  useEffect(() => {
    if (isOther) location.reload();
    else if (hasOtherRights) {
      setKnown(session);
      void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    }
  }, [isOther, hasOtherRights, session, queries]);
  return isOther ? undefined : children;
}
