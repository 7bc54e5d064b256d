/** The last step of every sign-in. */
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../parts.js';

/** A session for a person who has proved who they are. */
export async function openSession(
  { directory, sessions, now }: Pick<PlaneParts, 'directory' | 'sessions' | 'now'>,
  person: Principal,
): Promise<{ readonly session: string; readonly credentialId: string; readonly expiresAt: string }> {
  const options = { name: 'session', expiresInSeconds: sessions.absoluteSeconds };
  const issued = await directory(person.workspaceId).issue(person, 'session', person.id, options, person.permissions);
  const { id: credentialId, expiresAt = now().toISOString() } = issued.credential;
  return { session: issued.secret, credentialId, expiresAt };
}
