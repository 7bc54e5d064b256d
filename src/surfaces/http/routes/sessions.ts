/** The sessions of the person who is signed in: how they end before their time. */
import { z } from 'zod';
import { defineRoute } from '../route.js';

const mine = { session: 'one’s own session is one’s own to end' };

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/session',
  summary: 'Sign out: end the session that this request comes with',
  permission: mine,
  audit: ['credential.revoked'],
  async handle({ plane, principal }) {
    await plane.signOut(principal);
    return undefined;
  },
});

export const endSessions = defineRoute({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Sign out everywhere: end every session of the person who is signed in',
  permission: mine,
  audit: ['credential.revoked'],
  reply: z.object({ ended: z.number() }),
  async handle({ plane, principal }) {
    return { ended: await plane.signOutEverywhere(principal) };
  },
});
