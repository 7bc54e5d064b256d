/** The sessions of the person who is signed in: who they are, where they are signed in, and signing out. */
import { z } from 'zod';
import { currentSession, idParams, sessionList } from '../../../api/index.js';
import { defineRoute } from '../route.js';

export const getSession = defineRoute({
  method: 'GET',
  path: '/api/session',
  summary: 'Who is signed in, in which workspace, with which permissions, and until when',
  acts: ['currentSession'],
  reply: currentSession,
  async handle({ plane, principal }) {
    const { permissions, ...session } = await plane.currentSession(principal);
    return { ...session, permissions: [...permissions] };
  },
});

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/sessions',
  summary: 'Every session of the person who is signed in, newest first',
  acts: ['sessions'],
  reply: sessionList,
  async handle({ plane, principal }) {
    return { sessions: [...(await plane.sessions(principal))] };
  },
});

export const endOneSession = defineRoute({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'End one of your own sessions',
  acts: ['endSession'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.endSession(principal, params.id);
    return undefined;
  },
});

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
