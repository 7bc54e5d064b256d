/** Filing, reading and describing issues. The state of each is its actor's, which has the same id. */
import { isDeepStrictEqual } from 'node:util';
import { principalRef } from '../../audit/index.js';
import type { ActorView } from '../../domain/actor-host.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueActs, IssueChanges, IssueView, NewIssue } from '../../domain/issue-acts.js';
import type { Principal } from '../../domain/principal.js';
import type { Check, Issue, IssueComment } from '../../domain/task.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import { draft } from '../workspaces/index.js';
import { renewAgreement } from './agreed-words.js';
import { changedAt } from './changed-at.js';
import { admitChecks } from './checks.js';
import { requireKnownApps } from './known-apps.js';
import { resolveRepo } from './known-repos.js';
import { issueAddress, ownOrg, type TaskParts } from './parts.js';
import { requireRecipe } from './recipes.js';
import { orgOf } from './repo-name.js';
import { sendToIssue } from './send.js';
import { timelineOf } from './timeline.js';
import { stateOf, viewOf } from './view.js';
import { tellConnections } from './wake.js';

const shownComments = 200;
/** How many times a change is made again because somebody else changed the issue in between. */
const maxTries = 10;

type DescribingActs = Pick<
  IssueActs,
  'createIssue' | 'listIssues' | 'getIssue' | 'updateIssue' | 'commentIssue' | 'getIssueTimeline' | 'followIssue'
>;

export function createIssues(parts: TaskParts): DescribingActs {
  const { storage, actors, now } = parts;
  const table = ({ workspaceId }: Principal) => storage.workspace(workspaceId).issues;
  return {
    createIssue: (principal, issue) => createIssue(parts, principal, issue),
    async listIssues(principal, { agent, ...query } = {}) {
      const { workspaceId } = principal;
      const agents = agent === undefined ? undefined : await namesOf(parts, workspaceId, agent);
      const page = await actors.list({ ...query, ...defined({ agents }), workspaceId, kind: 'issue' });
      const issues = await table(principal).listById(page.actors.map(({ actor }) => actor.id));
      const byId = new Map(issues.map((issue) => [issue.id, issue]));
      return {
        issues: page.actors.map((view) => viewOf(view, byId.get(view.actor.id))),
        ...defined({ next: page.next }),
      };
    },
    getIssue: async (principal, id) => viewOf(...(await readIssue(parts, principal, id))),
    async updateIssue(principal, id, changes) {
      const changed = await writeChanges(parts, principal, { id, changes });
      const { limits, project } = changes;
      const [{ snapshot }] = await readIssue(parts, principal, id);
      const agreed = renewAgreement(changed, principal, snapshot.context as unknown as IssueContext);
      const configured = { type: 'CONFIGURED', ...defined({ limits, project, agreed }) };
      // The board must exist before a card is put on it.
      if (changes.project) await startAbove(parts, changed);
      if (Object.keys(configured).length > 1) await sendToIssue(parts, principal, { id, event: configured });
      await lookAgain(parts, principal, { id, changes });
      return viewOf(...(await readIssue(parts, principal, id)));
    },
    async commentIssue(principal, id, text) {
      const comment: IssueComment = {
        id: newId(),
        author: principalRef(principal),
        text,
        createdAt: now().toISOString(),
      };
      const row = draft('issue.commented', principal, now(), { issue: id, comment: comment.id });
      if (!(await table(principal).comment(id, comment, [row]))) throw missingIssue(id);
      return comment;
    },
    async getIssueTimeline(principal, id) {
      const [actor, issue] = await readIssue(parts, principal, id);
      return timelineOf(actor, issue, await table(principal).comments(id, shownComments));
    },
    async *followIssue(principal, id, signal) {
      await readIssue(parts, principal, id);
      for await (const actor of actors.follow(issueAddress(principal, id), signal))
        yield viewOf(actor, await table(principal).find(id));
    },
  };
}

interface Update {
  readonly id: string;
  readonly changes: IssueChanges;
}

/**
 * Tells an issue that waits for tools, or is being prepared, to look for them again if the change is about tools. Tells one that is being
 * verified to begin again if its checks have changed: it may wait for a person whom no check asks any more.
 */
async function lookAgain(parts: TaskParts, principal: Principal, { id, changes }: Update): Promise<void> {
  const isOfTools = changes.tools !== undefined || changes.recipe !== undefined;
  const states = [...(isOfTools ? ['blocked', 'preparing'] : []), ...(changes.checks ? ['verifying'] : [])];
  if (states.length === 0) return;
  const [{ snapshot }] = await readIssue(parts, principal, id);
  if (states.includes(stateOf(snapshot.value).state))
    await sendToIssue(parts, principal, { id, event: { type: 'TOOLS_CHANGED' } });
}

/**
 * Applies the changes to the newest version of the issue, so that simultaneous changes by others stay. Throws
 * `conflict` for an issue that is done, and `forbidden` for an agent that changes the checks of others.
 */
async function writeChanges(parts: TaskParts, principal: Principal, { id, changes }: Update): Promise<Issue> {
  const checks = changes.checks && (await admitChecks(parts, principal.workspaceId, changes.checks));
  const fields = Object.keys(changes).filter((name) => name !== 'body');
  for (let tries = 0; tries < maxTries; tries++) {
    const [actor, issue] = await readIssue(parts, principal, id);
    if (actor.snapshot.status === 'done') throw new HelveError('conflict', 'The issue is done');
    if (!issue) throw missingIssue(id);
    if (checks) requireMayChange(principal, issue, checks);
    await requireKnownApps(parts, changes.tools ?? {}, issue.tools);
    const at = parts.now();
    const changed = {
      ...changeOf(issue, { ...changes, ...defined({ checks }) }),
      updatedAt: changedAt(issue, at),
    };
    if (changes.recipe) await requireRecipe(parts, changed);
    const row = draft('issue.changed', principal, at, { issue: id, fields });
    const { issues } = parts.storage.workspace(principal.workspaceId);
    if (await issues.change(changed, [row], issue.updatedAt)) return changed;
  }
  throw new HelveError('conflict', 'The issue is being changed by others', { hint: 'Try again.' });
}

/**
 * An agent may not accept work, so it may not change who does. This holds for an issue that it filed too: a person may have added the
 * check.
 */
function requireMayChange({ kind, id }: Principal, { createdBy, checks }: Issue, next: readonly Check[]): void {
  if (kind !== 'agent') return;
  const hint = 'Ask a person to change them, or say in a comment what is wrong with them.';
  if (createdBy.kind !== kind || createdBy.id !== id)
    throw new HelveError('forbidden', 'An agent cannot change the checks of an issue that others have filed', { hint });
  const isKept = (check: Check): boolean => next.some((one) => isDeepStrictEqual(one, check));
  if (!checks.every((check) => check.kind !== 'person' || isKept(check)))
    throw new HelveError('forbidden', 'An agent cannot remove or change the check that asks a person', { hint });
}

/** The issue with the changes. Limits that are not named stay, as they do for its machine. */
function changeOf(issue: Issue, { recipe, ...changes }: IssueChanges): Issue {
  const limits = changes.limits && { ...issue.limits, ...changes.limits };
  const changed = { ...issue, ...defined({ ...changes, limits, recipe: recipe ?? undefined }) };
  if (recipe !== null) return changed;
  const { recipe: _, ...without } = changed;
  return without;
}

/** Both names of an agent; the given one if there is none of that name. */
async function namesOf({ configurations }: TaskParts, workspaceId: string, name: string): Promise<readonly string[]> {
  const { agents } = await configurations.getFresh(workspaceId);
  const agent = agents.find(({ id, slug }) => id === name || slug === name);
  return agent ? [agent.id, agent.slug] : [name];
}

async function createIssue(parts: TaskParts, principal: Principal, given: NewIssue): Promise<IssueView> {
  const { workspaceId } = principal;
  const at = parts.now().toISOString();
  const id = `iss_${newId()}`;
  const { repo, notice } =
    given.repo === undefined ? {} : await resolveRepo(parts, principal, { at: 'repo', repo: given.repo });
  const { labels = [], org = orgOf(repo) ?? ownOrg, ...fields } = given;
  const checks = await admitChecks(parts, workspaceId, given.checks ?? []);
  await requireKnownApps(parts, given.tools ?? {});
  await requireRecipe(parts, { workspaceId, ...defined({ recipe: given.recipe, repo }) });
  const issue: Issue = {
    ...defined({ ...fields, repo }),
    id,
    workspaceId,
    org,
    labels,
    checks,
    createdBy: principalRef(principal),
    createdAt: at,
    updatedAt: at,
  };
  const row = draft('issue.created', principal, parts.now(), { issue: id, ...defined({ repo }) });
  await parts.storage.workspace(workspaceId).issues.insert(issue, [row]);
  await startActors(parts, issue);
  return { ...viewOf(...(await readIssue(parts, principal, id))), ...defined({ notice }) };
}

/** Starts the actor of the issue, and those above it that do not exist yet. */
export async function startActors(parts: TaskParts, issue: Issue): Promise<void> {
  const { workspaceId, id, org, repo, project, limits } = issue;
  await startAbove(parts, issue);
  // Its card is on the board from the beginning.
  if (project) {
    const filed = { type: 'ISSUE_FILED', issue: id };
    await parts.actors.send({ workspaceId, kind: 'project', id: project }, filed, { id: `filed:${id}` });
  }
  const input = { id, ...defined({ org, repo, project, limits: limits && { ...defined(limits) } }) };
  await parts.actors.start({ workspaceId, kind: 'issue', id }, input);
}

/** Starts the actors that do not exist yet. */
export async function startAbove(
  parts: TaskParts,
  { workspaceId, org, repo, project }: Pick<Issue, 'workspaceId' | 'org' | 'repo' | 'project'>,
): Promise<void> {
  const { actors } = parts;
  // A new actor is told which accounts there are.
  if (org && (await actors.start({ workspaceId, kind: 'org', id: org }, { id: org })))
    await tellConnections(parts, workspaceId);
  if (repo) await actors.start({ workspaceId, kind: 'repo', id: repo }, { id: repo, ...defined({ org, project }) });
  if (project) await actors.start({ workspaceId, kind: 'project', id: project }, { id: project, ...defined({ org }) });
}

/** Throws `not_found`. A process that died while it filed the issue had not started its actor yet. */
export async function readIssue(
  parts: TaskParts,
  principal: Pick<Principal, 'workspaceId'>,
  id: string,
): Promise<readonly [ActorView, Issue | undefined]> {
  const address = issueAddress(principal, id);
  const issue = await parts.storage.workspace(principal.workspaceId).issues.find(id);
  const actor = await parts.actors.read(address);
  if (actor) return [actor, issue];
  if (!issue) throw missingIssue(id);
  await startActors(parts, issue);
  const started = await parts.actors.read(address);
  if (!started) throw missingIssue(id);
  return [started, issue];
}

function missingIssue(id: string): HelveError {
  return new HelveError('not_found', `There is no issue ${JSON.stringify(id.slice(0, 100))}`, {
    hint: 'list_issues (on the command line helve task list) lists the issues with their ids.',
  });
}
