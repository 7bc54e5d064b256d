/** The places of tasks: organisations, repositories, projects and pull requests. */
import {
  cardBody,
  mergeBody,
  org,
  orgChangesBody,
  orgList,
  placeParams,
  placesQuery,
  project,
  projectChangesBody,
  projectList,
  pullRequest,
  pullRequestChangesBody,
  pullRequestList,
  repo,
  repoChangesBody,
  repoList,
} from '../../../api/index.js';
import type { PlaceChanges } from '../../../domain/place-acts.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listOrgs = defineRoute({
  method: 'GET',
  path: '/api/orgs',
  summary: 'Organisations of tasks, newest first',
  acts: ['listPlaces'],
  query: placesQuery,
  reply: orgList,
  handle: ({ plane, principal, query }) => plane.listPlaces(principal, 'org', defined(query)),
});

export const getOrg = defineRoute({
  method: 'GET',
  path: '/api/orgs/:id',
  summary: 'One organisation: its limits, what it has used, and who works or waits',
  acts: ['getPlace'],
  params: placeParams,
  reply: org,
  handle: ({ plane, principal, params }) => plane.getPlace(principal, 'org', params.id),
});

export const updateOrg = defineRoute({
  method: 'PATCH',
  path: '/api/orgs/:id',
  summary: 'Change the settings of an organisation; those that are not given stay as they are',
  acts: ['updatePlace'],
  params: placeParams,
  body: orgChangesBody,
  reply: org,
  handle: ({ plane, principal, params, body }) =>
    plane.updatePlace(principal, { kind: 'org', id: params.id }, defined(body) as PlaceChanges['org']),
});

export const listRepos = defineRoute({
  method: 'GET',
  path: '/api/repos',
  summary: 'Repositories of tasks, newest first',
  acts: ['listPlaces'],
  query: placesQuery,
  reply: repoList,
  handle: ({ plane, principal, query }) => plane.listPlaces(principal, 'repo', defined(query)),
});

export const getRepo = defineRoute({
  method: 'GET',
  path: '/api/repos/:id',
  summary: 'One repository: its triggers and its rules',
  acts: ['getPlace'],
  params: placeParams,
  reply: repo,
  handle: ({ plane, principal, params }) => plane.getPlace(principal, 'repo', params.id),
});

export const updateRepo = defineRoute({
  method: 'PATCH',
  path: '/api/repos/:id',
  summary: 'Change the settings of a repository; those that are not given stay as they are',
  acts: ['updatePlace'],
  params: placeParams,
  body: repoChangesBody,
  reply: repo,
  handle: ({ plane, principal, params, body }) =>
    plane.updatePlace(principal, { kind: 'repo', id: params.id }, defined(body) as PlaceChanges['repo']),
});

export const listProjects = defineRoute({
  method: 'GET',
  path: '/api/projects',
  summary: 'Projects of tasks, newest first',
  acts: ['listPlaces'],
  query: placesQuery,
  reply: projectList,
  handle: ({ plane, principal, query }) => plane.listPlaces(principal, 'project', defined(query)),
});

export const getProject = defineRoute({
  method: 'GET',
  path: '/api/projects/:id',
  summary: 'One project: its board and its rules',
  acts: ['getPlace'],
  params: placeParams,
  reply: project,
  handle: ({ plane, principal, params }) => plane.getPlace(principal, 'project', params.id),
});

export const updateProject = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:id',
  summary: 'Change the settings of a project; those that are not given stay as they are',
  acts: ['updatePlace'],
  params: placeParams,
  body: projectChangesBody,
  reply: project,
  handle: ({ plane, principal, params, body }) =>
    plane.updatePlace(principal, { kind: 'project', id: params.id }, defined(body) as PlaceChanges['project']),
});

export const listPullRequests = defineRoute({
  method: 'GET',
  path: '/api/pull-requests',
  summary: 'Pull requests of tasks, newest first',
  acts: ['listPlaces'],
  query: placesQuery,
  reply: pullRequestList,
  handle: ({ plane, principal, query }) => plane.listPlaces(principal, 'pr', defined(query)),
});

export const getPullRequest = defineRoute({
  method: 'GET',
  path: '/api/pull-requests/:id',
  summary: 'One pull request: its reviews, its checks, and whether it can be merged',
  acts: ['getPlace'],
  params: placeParams,
  reply: pullRequest,
  handle: ({ plane, principal, params }) => plane.getPlace(principal, 'pr', params.id),
});

export const updatePullRequest = defineRoute({
  method: 'PATCH',
  path: '/api/pull-requests/:id',
  summary: 'Change the settings of a pull request; those that are not given stay as they are',
  acts: ['updatePlace'],
  params: placeParams,
  body: pullRequestChangesBody,
  reply: pullRequest,
  handle: ({ plane, principal, params, body }) =>
    plane.updatePlace(principal, { kind: 'pr', id: params.id }, defined(body) as PlaceChanges['pr']),
});

export const startBillingPeriod = defineRoute({
  method: 'POST',
  path: '/api/orgs/:id/billing-period',
  summary: 'Begin a new billing period now; one begins by itself with each month',
  acts: ['startBillingPeriod'],
  params: placeParams,
  reply: org,
  handle: ({ plane, principal, params }) => plane.startBillingPeriod(principal, params.id),
});

export const moveCard = defineRoute({
  method: 'POST',
  path: '/api/projects/:id/cards',
  summary: 'Move the card of an issue into a column, and do what the rules of the column say',
  acts: ['moveCard'],
  params: placeParams,
  body: cardBody,
  reply: project,
  handle: ({ plane, principal, params, body }) => plane.moveCard(principal, params.id, body),
});

export const mergePullRequest = defineRoute({
  method: 'POST',
  path: '/api/pull-requests/:id/merge',
  summary: 'Merge a pull request as the caller, with an account of the caller',
  acts: ['mergePullRequest'],
  params: placeParams,
  body: mergeBody,
  reply: pullRequest,
  handle: ({ plane, principal, params, body }) => plane.mergePullRequest(principal, params.id, defined(body)),
});

export const callOffMerge = defineRoute({
  method: 'DELETE',
  path: '/api/pull-requests/:id/merge',
  summary: 'Cancel the order to merge it when it is ready',
  acts: ['callOffMerge'],
  params: placeParams,
  reply: pullRequest,
  handle: ({ plane, principal, params }) => plane.callOffMerge(principal, params.id),
});
