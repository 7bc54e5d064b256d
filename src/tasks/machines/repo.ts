/**
 * The machine of a repository: by its triggers it turns events of webhooks into issues and pull requests, and by its rules it assigns
 * an agent to a new issue. Work outside: `catch_up`, which reads what no webhook has told.
 */
import { setup } from 'xstate';
import { z } from 'zod';
import type { ActorEffect } from '../../domain/actor-host.js';
import type { JsonValue } from '../../domain/json.js';
import { toActorMachine } from '../actor-machine.js';
import { assignmentBy, bare, type EventsOf, id, idOrNull, ids, json, jsonObject, ruleAgent } from './shapes.js';

/**
 * Selects what the rule is about. All given conditions must hold; a path means a file, or a folder if it ends in `/`.
 */
const match = { label: id.optional(), author: id.optional(), path: id.optional() };

const assignRule = z.object({ ...match, agent: id, ...ruleAgent });
/** `on`: event and action, as in `issues.opened`. */
const trigger = z.object({ ...match, on: id, opens: z.enum(['issue', 'pr']) });

const defaultTriggers: readonly z.output<typeof trigger>[] = [
  { on: 'issues.opened', opens: 'issue' },
  { on: 'pull_request.opened', opens: 'pr' },
  // Linear: an issue was delegated to Helve.
  { on: 'agent_session.created', opens: 'issue' },
];

const subject = z.object({
  /** `github:acme/shop#12`: the id of the actor. */
  ref: id.min(1),
  labels: ids.default([]),
  author: idOrNull,
  /** The files that it changes. */
  paths: ids.default([]),
  /** Of a pull request: the issue that it belongs to. */
  issue: idOrNull,
  /** Of a pull request: the commit that it is at, and whether it is a draft. */
  head: idOrNull,
  draft: z.boolean().default(false),
});

const input = z.object({
  id: id.default(''),
  org: idOrNull,
  project: idOrNull,
  toolConfig: json.default({}),
  autoAssign: z.array(assignRule).default([]),
  triggers: z.array(trigger).default([...defaultTriggers]),
});

const events = {
  /** `event`: as in a trigger. */
  WEBHOOK_RECEIVED: z.object({
    event: id,
    subject,
    /** The person for whom an assigned agent works. */
    onBehalfOf: jsonObject.optional(),
  }),
  CONFIGURED: z.object({
    toolConfig: json.optional(),
    autoAssign: z.array(assignRule).optional(),
    triggers: z.array(trigger).optional(),
    project: id.nullish(),
  }),
  PAUSE: bare,
  RESUME: bare,
  CATCH_UP: bare,
  /**
   * Everything that changed for the last time before `until` has been read. `unread` is set if there was too much to read at once: what
   * happened since then to issues that changed again after `until` has not been read.
   */
  CAUGHT_UP: z.object({ until: id, unread: id.optional() }),
} as const;

type RepoEvent = EventsOf<typeof events>;

interface RepoContext {
  readonly id: string;
  readonly org: string | null;
  readonly project: string | null;
  /** The tool config of this level. */
  readonly toolConfig: JsonValue;
  /** The first rule that matches a new issue assigns its agent. */
  readonly autoAssign: readonly z.output<typeof assignRule>[];
  readonly triggers: readonly z.output<typeof trigger>[];
  /** Until when all that happened there was read; null if nothing was. */
  readonly caughtUp: string | null;
  readonly unread: string | null;
}

const repo = setup({
  types: { context: {} as RepoContext, events: {} as RepoEvent, input: {} as z.output<typeof input> },
  actions: { effect: (_, _effect: ActorEffect) => undefined },
});

type Subject = z.output<typeof subject>;
type Received = z.output<(typeof events)['WEBHOOK_RECEIVED']>;

function matches({ label, author, path }: { label?: string; author?: string; path?: string }, about: Subject): boolean {
  const isAt = (file: string) => (path?.endsWith('/') ? file.startsWith(path) : file === path);
  return (
    (label === undefined || about.labels.includes(label)) &&
    (author === undefined || about.author === author) &&
    (path === undefined || about.paths.some(isAt))
  );
}

/** An actor that exists already is not started again, so an event that comes twice opens one issue. */
function open(context: RepoContext, received: Received): readonly ActorEffect[] {
  const { event, subject: about, onBehalfOf } = received;
  const opens = context.triggers.find((one) => one.on === event && matches(one, about))?.opens;
  if (!opens) return [];
  const { id: repoId, org, project } = context;
  const actor = { kind: opens, id: about.ref } as const;
  const { issue, head, draft } = about;
  if (opens === 'pr') return [{ do: 'start', actor, input: { id: about.ref, repo: repoId, issue, head, draft } }];
  const started: ActorEffect = { do: 'start', actor, input: { id: about.ref, org, repo: repoId, project } };
  // Its card is on the board from the beginning.
  const filed: readonly ActorEffect[] = project
    ? [{ do: 'send', to: { kind: 'project', id: project }, event: { type: 'ISSUE_FILED', issue: about.ref } }]
    : [];
  const rule = context.autoAssign.find((one) => matches(one, about));
  if (rule === undefined) return [started, ...filed];
  // Whoever wrote the rule; for an older rule, which names nobody, whoever set up the source of the event.
  const assignment = assignmentBy(repoId, { ...rule, onBehalfOf: rule.onBehalfOf ?? onBehalfOf });
  const assigned = { type: 'ASSIGN_AGENT', agent: rule.agent, assignment };
  return [started, ...filed, { do: 'send', to: actor, event: assigned }];
}

export const repoStatechart = repo.createMachine({
  id: 'repo',
  context: ({ input: given }) => ({ ...given, caughtUp: null, unread: null }),
  initial: 'active',
  on: {
    CONFIGURED: {
      actions: repo.assign(({ event }) => {
        const { type: _, ...settings } = event;
        return Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting !== undefined));
      }),
    },
    CATCH_UP: {
      actions: repo.enqueueActions(({ context, enqueue }) => {
        enqueue({ type: 'effect', params: { do: 'work', name: 'catch_up', input: { repo: context.id } } });
      }),
    },
    CAUGHT_UP: {
      actions: repo.assign(({ event }) =>
        event.type === 'CAUGHT_UP' ? { caughtUp: event.until, unread: event.unread ?? null } : {},
      ),
    },
  },
  states: {
    active: {
      on: {
        PAUSE: 'paused',
        WEBHOOK_RECEIVED: {
          actions: repo.enqueueActions(({ context, event, enqueue }) => {
            if (event.type !== 'WEBHOOK_RECEIVED') return;
            for (const params of open(context, event)) enqueue({ type: 'effect', params });
          }),
        },
      },
    },
    /** Events of webhooks open nothing. */
    paused: { on: { RESUME: 'active' } },
  },
});

export const repoMachine = toActorMachine({ statechart: repoStatechart, input, events });
