/** Issues: filing, assigning, following and ending them. */
import {
  actorEventsQuery,
  assignBody,
  commentBody,
  decideCheckBody,
  decideCheckParams,
  issue,
  issueChangesBody,
  issueComment,
  issueList,
  issueParams,
  issuesQuery,
  issueTimeline,
  newIssueBody,
} from '../../../api/index.js';
import type { IssueChanges, IssueView, NewIssue } from '../../../domain/issue-acts.js';
import { defined } from '../../../util/defined.js';
import { type EventKind, followStream } from '../event-stream.js';
import { defineRoute } from '../route.js';

/** A later state contains everything from the earlier ones. */
const issueData: EventKind<IssueView> = { name: 'issue', isPassing: () => true };

export const createIssue = defineRoute({
  method: 'POST',
  path: '/api/issues',
  summary: 'File an issue',
  acts: ['createIssue'],
  body: newIssueBody,
  reply: issue,
  status: 201,
  handle: ({ plane, principal, body }) => plane.createIssue(principal, defined(body) as NewIssue),
});

export const listIssues = defineRoute({
  method: 'GET',
  path: '/api/issues',
  summary: 'Issues of the workspace, newest first',
  acts: ['listIssues'],
  query: issuesQuery,
  reply: issueList,
  handle: ({ plane, principal, query }) => plane.listIssues(principal, defined(query)),
});

export const getIssue = defineRoute({
  method: 'GET',
  path: '/api/issues/:id',
  summary: 'One issue: what was asked for, its state, and what it waits for',
  acts: ['getIssue'],
  params: issueParams,
  reply: issue,
  handle: ({ plane, principal, params }) => plane.getIssue(principal, params.id),
});

export const updateIssue = defineRoute({
  method: 'PATCH',
  path: '/api/issues/:id',
  summary: 'Change the fields that are given, and leave the rest as it is',
  acts: ['updateIssue'],
  params: issueParams,
  body: issueChangesBody,
  reply: issue,
  handle: ({ plane, principal, params, body }) =>
    plane.updateIssue(principal, params.id, defined(body) as IssueChanges),
});

export const commentIssue = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/comments',
  summary: 'Comment on an issue; its agent reads comments',
  acts: ['commentIssue'],
  params: issueParams,
  body: commentBody,
  reply: issueComment,
  status: 201,
  handle: ({ plane, principal, params, body }) => plane.commentIssue(principal, params.id, body.text),
});

export const assignIssue = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/assign',
  summary: 'Give an issue to an agent, which acts for the caller',
  acts: ['assignIssue'],
  params: issueParams,
  body: assignBody,
  reply: issue,
  handle: ({ plane, principal, params, body: { agent, tools } }) =>
    plane.assignIssue(principal, params.id, { agent, ...defined({ tools: tools && defined(tools) }) }),
});

export const unassignIssue = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/unassign',
  summary: 'Take an issue from its agent; its work is stopped',
  acts: ['unassignIssue'],
  params: issueParams,
  reply: issue,
  handle: ({ plane, principal, params }) => plane.unassignIssue(principal, params.id),
});

export const retryIssue = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/retry',
  summary: 'Begin again with an issue that has failed or was cancelled',
  acts: ['retryIssue'],
  params: issueParams,
  reply: issue,
  handle: ({ plane, principal, params }) => plane.retryIssue(principal, params.id),
});

export const cancelIssue = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/cancel',
  summary: 'Cancel an issue; its work is stopped',
  acts: ['cancelIssue'],
  params: issueParams,
  reply: issue,
  handle: ({ plane, principal, params }) => plane.cancelIssue(principal, params.id),
});

export const decideCheck = defineRoute({
  method: 'POST',
  path: '/api/issues/:id/checks/:check',
  summary: 'Say whether the work is good, where the issue asks a person',
  acts: ['decideCheck'],
  params: decideCheckParams,
  body: decideCheckBody,
  reply: issue,
  handle: ({ plane, principal, params: { id, check }, body: { accepted, reason } }) =>
    plane.decideCheck(principal, id, { check, accepted, ...defined({ reason }) }),
});

export const getIssueTimeline = defineRoute({
  method: 'GET',
  path: '/api/issues/:id/timeline',
  summary: 'What happened to an issue: its comments and its last events, oldest first',
  acts: ['getIssueTimeline'],
  params: issueParams,
  reply: issueTimeline,
  handle: async ({ plane, principal, params }) => ({ entries: await plane.getIssueTimeline(principal, params.id) }),
});

export const followIssue = defineRoute({
  method: 'GET',
  path: '/api/issues/:id/events',
  summary: 'Follow an issue: its present state, then each state after an event',
  acts: ['followIssue'],
  params: issueParams,
  query: actorEventsQuery,
  stream: { mediaType: 'text/event-stream', item: issue },
  handle: ({ plane, principal, params, query, request }) =>
    followStream(request, issueData, {
      follow: (signal) => plane.followIssue(principal, params.id, signal),
      isOnce: query.live === 'false',
    }),
});
