/** The effective settings, and whether everything is in order. */
import { z } from 'zod';
import { doctorCheck, doctorQuery, setting, storeSizes } from '../../../api/index.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const getSettings = defineRoute({
  method: 'GET',
  path: '/api/settings',
  summary: 'Every setting of this installation: its effective value, and whether that is a default or where it was set',
  acts: ['settings'],
  reply: z.object({ settings: z.array(setting) }),
  async handle({ plane, principal }) {
    return { settings: await plane.settings(principal) };
  },
});

export const getDoctor = defineRoute({
  method: 'GET',
  path: '/api/doctor',
  summary: 'Whether everything is in order, and what to do about what is not: what `helve doctor` prints',
  acts: ['doctor'],
  query: doctorQuery,
  reply: z.object({ checks: z.array(doctorCheck) }),
  async handle({ plane, principal, query }) {
    return { checks: await plane.doctor(principal, defined(query)) };
  },
});

export const getStoreSizes = defineRoute({
  method: 'GET',
  path: '/api/store-sizes',
  summary: 'How much is kept, by kind, how fast the record grows, and what archives would take out of the store',
  acts: ['storeSizes'],
  reply: storeSizes,
  handle: ({ plane, principal }) => plane.storeSizes(principal),
});
