/** Issues and the tool configs of tasks: the requests, and an issue as its readers see it. */
import { z } from 'zod';
import { blockReasons, issueStates } from '../domain/issue-acts.js';
import { recipeNameForm } from '../domain/recipe.js';
import { toolConfigLevels } from '../domain/task-scope.js';
import { checkShape, taskLimitsShape, toolConfigShape } from '../domain/task-shapes.js';
import { jsonObject, namedShapes, principalRef, repoNotice, timestamp } from './shapes.js';

const ref = z.string().min(1).max(300);
const title = z.string().min(1).max(300);
const body = z.string().max(100_000);
const labels = z.array(z.string().min(1).max(100)).max(100);
const checks = z.array(checkShape).max(50);
const state = z.enum(issueStates);
const recipe = z.string().regex(recipeNameForm);

export const issueParams = z.object({ id: ref });

export const newIssueBody = z.strictObject({
  title,
  body: body.optional().describe('Markdown'),
  labels: labels.optional(),
  org: ref.optional().describe('Default: that of the repository, or the one of the workspace'),
  repo: ref.optional().describe('github:acme/shop'),
  project: ref.optional(),
  tools: toolConfigShape.optional().describe('Which tools it may use; narrows what comes from above'),
  recipe: recipe.optional().describe('Name of the recipe whose steps its agent follows'),
  checks: checks.optional().describe('How its work is verified; every one must pass'),
  limits: taskLimitsShape.optional(),
});
namedShapes.add(newIssueBody, { id: 'NewIssue' });

export const issueChangesBody = newIssueBody
  .omit({ org: true, repo: true })
  .partial()
  .extend({ recipe: recipe.nullable().optional().describe('Name of a recipe, or null for none') });
export const issuesQuery = z.strictObject({
  state: state.optional(),
  org: ref.optional(),
  repo: ref.optional(),
  project: ref.optional(),
  agent: z.string().min(1).max(200).optional().describe('Slug or id of the agent that it is assigned to'),
  person: z.string().min(1).max(200).optional().describe('Id of the person or key for whom that agent works'),
  text: z.string().min(1).max(300).optional().describe('In the title or the text'),
  after: z.string().max(500).optional().describe('`next` of the previous page'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 50'),
});
export const commentBody = z.strictObject({ text: z.string().min(1).max(100_000) });
export const assignBody = z.strictObject({
  agent: z.string().min(1).max(200).describe('Slug or id; it acts for the caller, with the accounts of the caller'),
  tools: toolConfigShape.optional().describe('Narrows further, for this assignment only'),
});

export const decideCheckParams = issueParams.extend({
  check: z.coerce.number().int().min(0).max(49).describe('Place among the checks of the issue, from 0'),
});
export const decideCheckBody = z.strictObject({
  accepted: z.boolean(),
  reason: z.string().max(4_000).optional().describe('Needed if it is not accepted; the next attempt reads it'),
});

const blocker = z.object({
  reason: z.enum(blockReasons).optional(),
  app: z.string().optional(),
  message: z.string(),
  connectUrl: z.string().optional().describe('Where a person connects the app'),
});

export const issue = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string().optional(),
  labels: z.array(z.string()),
  org: z.string().optional(),
  repo: z.string().optional(),
  project: z.string().optional(),
  tools: toolConfigShape.optional(),
  recipe: z.string().optional().describe('The recipe whose steps its agent follows'),
  checks: z.array(checkShape),
  limits: taskLimitsShape.optional(),
  origin: z
    .object({ source: z.string(), url: z.string(), author: z.string().optional() })
    .optional()
    .describe('Where it was filed, if that was not here'),
  createdBy: principalRef,
  createdAt: timestamp,
  updatedAt: timestamp,
  state,
  phase: z
    .string()
    .optional()
    .describe('Within executing: working, waiting_for_approval, waiting_for_answer or backing_off'),
  agent: z.string().optional(),
  onBehalfOf: principalRef.optional().describe('For whom the agent works'),
  attempts: z.int(),
  blockedBy: z.array(blocker),
  run: z.string().optional().describe('The run of the present attempt, if its work has begun'),
  waitsFor: z.unknown().optional(),
  result: z.unknown().optional().describe('What the present attempt handed in: what is verified'),
  lastError: z.object({ code: z.string().optional(), message: z.string() }).optional(),
  verification: z.unknown().optional(),
  delivered: z.unknown().optional(),
  usage: z.object({ steps: z.int(), tokens: z.int(), cents: z.number() }),
  lastHeartbeat: timestamp.optional(),
  version: z.int(),
  notice: repoNotice,
});
namedShapes.add(issue, { id: 'Issue' });

export const issueList = z.object({ issues: z.array(issue), next: z.string().optional() });

export const issueComment = z.object({ id: z.string(), author: principalRef, text: z.string(), createdAt: timestamp });

export const issueTimeline = z.object({
  entries: z.array(
    z.discriminatedUnion('what', [
      z.object({ what: z.literal('created'), at: timestamp, by: principalRef }),
      z.object({ what: z.literal('comment'), at: timestamp, comment: issueComment }),
      z.object({
        what: z.literal('event'),
        at: timestamp,
        type: z.string(),
        state: z.string().optional(),
        attempt: z.int().optional(),
        run: z.string().optional().describe('The run of that attempt, if the event says it'),
        why: z.string().optional().describe('The error of an attempt, the reasons of a rejection, what is missing'),
        setAside: z.string().optional().describe('Why it was not applied'),
      }),
    ]),
  ),
});

const level = z.enum(toolConfigLevels).exclude(['assignment']);
export const toolConfigParams = z.object({ level, id: ref });
export const toolConfigBody = toolConfigShape.extend({
  version: z
    .string()
    .optional()
    .describe('Not read, so that a reply can be sent back; the version is sent as If-Match'),
  notice: z.string().optional().describe('Not read, as version'),
});
export const toolConfig = toolConfigShape.extend({
  version: z.string().describe('Send it as If-Match with a change'),
  notice: repoNotice,
});

export const effectiveToolConfig = z.object({
  apps: z.union([z.literal('all'), z.array(z.string())]).describe('all: every app that is not in disabled'),
  disabled: z.array(z.string()),
  includeDefaults: z.boolean(),
  defaultsOffBy: z.enum(toolConfigLevels).optional(),
  requiredApps: z.array(z.string()),
  impossible: z.array(z.string()).describe('Required apps that a level excludes'),
  why: jsonObject.describe('By app: the level that decided, and in which way'),
});
