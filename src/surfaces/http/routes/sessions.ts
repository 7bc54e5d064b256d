/** The sessions of the person who is signed in: signing out. */
import { z } from 'zod';
import { defineRoute } from '../route.js';

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/session',
  summary: 'Sign out: end the session of this request',
  acts: ['signOut'],
  async handle({ plane, principal }) {
    await plane.signOut(principal);
    return undefined;
  },
});

export const endSessions = defineRoute({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Sign out everywhere: end every session of the person who is signed in',
  acts: ['signOutEverywhere'],
  reply: z.object({ ended: z.number() }),
  async handle({ plane, principal }) {
    return { ended: await plane.signOutEverywhere(principal) };
  },
});
