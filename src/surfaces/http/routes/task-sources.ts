/** Task sources, and the addresses to which their services deliver. */
import {
  idParams,
  newTaskSource,
  newTaskSourceBody,
  receivedWebhook,
  taskSource,
  taskSourceList,
} from '../../../api/index.js';
import type { NewTaskSource, WebhookProvider } from '../../../domain/task-source.js';
import { defined } from '../../../util/defined.js';
import { HttpRefusal } from '../problem.js';
import { defineRoute } from '../route.js';

export const listTaskSources = defineRoute({
  method: 'GET',
  path: '/api/task-sources',
  summary: 'Where issues come from',
  acts: ['listTaskSources'],
  reply: taskSourceList,
  handle: async ({ plane, principal }) => ({ sources: await plane.listTaskSources(principal) }),
});

export const getTaskSource = defineRoute({
  method: 'GET',
  path: '/api/task-sources/:id',
  summary: 'One task source, and why it does not work if it does not',
  acts: ['getTaskSource'],
  params: idParams,
  reply: taskSource,
  handle: ({ plane, principal, params }) => plane.getTaskSource(principal, params.id),
});

export const createTaskSource = defineRoute({
  method: 'POST',
  path: '/api/task-sources',
  summary:
    'Take issues from a repository of GitHub, a team of Linear or the events of a subscription; agents then work for the caller',
  acts: ['createTaskSource'],
  body: newTaskSourceBody,
  reply: newTaskSource,
  status: 201,
  handle: ({ plane, principal, body }) => plane.createTaskSource(principal, defined(body) as NewTaskSource),
});

export const deleteTaskSource = defineRoute({
  method: 'DELETE',
  path: '/api/task-sources/:id',
  summary: 'Refuse the deliveries of a task source from now on; its issues stay',
  acts: ['deleteTaskSource'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.deleteTaskSource(principal, params.id);
    return undefined;
  },
});

const receiving = <const Provider extends WebhookProvider>(provider: Provider, title: string, status: number) =>
  defineRoute({
    method: 'POST',
    path: `/api/webhooks/${provider}`,
    summary: `Where ${title} sends its events, signed with the secret of a task source`,
    acts: ['receiveWebhook'],
    reply: receivedWebhook,
    status,
    async handle({ plane, request }) {
      requireJson(request);
      // The signature covers the exact bytes.
      const body = new Uint8Array(await request.arrayBuffer());
      return plane.receiveWebhook(provider, { body, headers: request.headers });
    },
  });

function requireJson({ headers }: Request): void {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new HttpRefusal(
    415,
    'invalid_input',
    'A delivery must be JSON',
    'Set the content type of the webhook to application/json.',
    { 'accept-post': 'application/json' },
  );
}

export const receiveFromGitHub = receiving('github', 'GitHub', 202);
/** Linear delivers again what is not answered with 200. */
export const receiveFromLinear = receiving('linear', 'Linear', 200);
