/** The last step of every sign-in. */
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../parts.js';
import { changedInLine } from '../workspaces/index.js';

type Parts = Pick<PlaneParts, 'directory' | 'sessions' | 'now' | 'storage' | 'configurations'>;

/**
 * A session for a person who has proved who they are. Throws `forbidden` if they have been disabled or removed meanwhile: that
 * ends the sessions that there are, and no later one.
 */
export function openSession(
  parts: Parts,
  person: Principal,
): Promise<{ readonly session: string; readonly credentialId: string; readonly expiresAt: string }> {
  const { directory, sessions, now, storage } = parts;
  const { workspaceId, id, name, permissions } = person;
  return changedInLine(parts, workspaceId, async ({ revision }) => {
    const user = await storage.workspace(workspaceId).findUser(id);
    if (user === undefined || user.status === 'disabled')
      throw new HelveError('forbidden', `${name} cannot sign in here any more`, {
        hint: 'Ask an admin of this Helve.',
      });
    const options = { name: 'session', expiresInSeconds: sessions.absoluteSeconds, revision };
    const issued = await directory(workspaceId).issue(person, 'session', id, options, permissions);
    const { id: credentialId, expiresAt = now().toISOString() } = issued.credential;
    return { session: issued.secret, credentialId, expiresAt };
  });
}
