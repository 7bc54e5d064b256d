/** The actors of tasks: what is asked about them, and what their readers see. */
import { z } from 'zod';
import { actorKinds } from '../domain/actor-host.js';
import { text } from './requests.js';
import { jsonObject, namedShapes, timestamp } from './shapes.js';

const kind = z.enum(actorKinds);
const id = z.string().min(1).max(500);

export const actorParams = z.object({ kind, id });

export const actorsQuery = z.strictObject({
  kind: kind.optional(),
  state: text.optional().describe('The outermost state: executing'),
  silentSince: timestamp.optional().describe('Only actors whose work has not reported since then'),
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('`next` of the previous page'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 50'),
});

export const actorEventsQuery = z.strictObject({
  live: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false`: the stream ends with the actor as it is. Default: true'),
});

const state = z.union([z.string(), jsonObject]).describe('The state, or the nested states');

const shown = {
  actor: z.object({ workspaceId: z.string(), kind, id: z.string() }),
  snapshot: z.object({ value: state, context: jsonObject, status: z.enum(['active', 'done']) }),
  version: z.int().describe('Number of events applied so far'),
  createdAt: timestamp,
  updatedAt: timestamp,
  lastHeartbeat: timestamp.optional().describe('When its work last said that it is alive'),
  progress: z.unknown().optional().describe('What that work said it was doing'),
};

export const actorList = z.object({
  actors: z.array(z.object(shown)).describe('Newest first'),
  next: z.string().optional().describe('`after` of the next page'),
});

export const actor = z.object({
  ...shown,
  timers: z.array(z.object({ name: z.string(), dueAt: timestamp, event: jsonObject })),
  work: z.array(
    z.object({
      name: z.string(),
      id: z.string(),
      attempt: z.int().describe('From 1; higher if a process ended while it did the work, or the work failed'),
      startedAt: timestamp,
      lastHeartbeat: timestamp.optional(),
      progress: z.unknown().optional(),
    }),
  ),
  events: z
    .array(
      z.object({
        id: z.string(),
        event: jsonObject,
        at: timestamp,
        value: state.optional().describe('The state after it; absent if it was set aside'),
        setAside: z.string().optional().describe('Why it was set aside'),
      }),
    )
    .describe('The last 50 events, oldest first'),
  executions: z
    .array(z.object({ executionId: z.string(), tool: z.string(), at: timestamp }))
    .optional()
    .describe('The last 50 calls that were made for it, newest first; not in the stream'),
});
namedShapes.add(actor, { id: 'Actor' });

export const actorMachines = z.object({
  machines: z.array(
    z.object({
      kind,
      states: z
        .array(
          z.object({
            id: z.string().describe('With the state around it: executing.working'),
            within: z.string().optional().describe('The id of the state around it'),
            isFirst: z.boolean().describe('Where the machine, or the state around it, begins'),
            isFinal: z.boolean().describe('Nothing leads out of it'),
          }),
        )
        .describe('A state comes before those in it'),
      transitions: z.array(
        z.object({
          from: z.string(),
          to: z.string(),
          event: z.string().optional().describe('Absent: without an event, as soon as the guard holds'),
          guard: z.string().optional().describe('Only while this holds'),
        }),
      ),
      staying: z.array(z.string()).describe('Events that change no state'),
    }),
  ),
});
namedShapes.add(actorMachines, { id: 'ActorMachines' });
