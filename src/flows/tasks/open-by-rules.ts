/**
 * Opens issues for events of subscriptions, by the rules of their source. It acts for whoever made the source, with
 * their current rights. Each step can be repeated: the ids of the issue and of its events derive from the source and
 * the event.
 */
import { principalRef } from '../../audit/index.js';
import type { ReceivedEvent } from '../../domain/marketplace.js';
import type { Principal } from '../../domain/principal.js';
import type { Issue } from '../../domain/task.js';
import type { StoredTriggerRule, TaskSource } from '../../domain/task-source.js';
import { defined } from '../../util/defined.js';
import { idAt } from '../../util/hash.js';
import { draft } from '../workspaces/index.js';
import { startActors } from './issues.js';
import { issueAddress, ownOrg } from './parts.js';
import { orgOf } from './repo-name.js';
import type { SourceParts } from './sources/parts.js';
import { findProblem, findSourcePerson } from './sources/standing.js';
import { fillRule, findRule } from './sources/trigger-rules.js';
import { readRepo, sendOnce } from './webhooks/repo-rules.js';

const longest = { title: 300, body: 100_000 };
/** Actors remember the ids of their events for a little longer than this. An older event opens nothing. */
const rememberedMs = 29 * 24 * 60 * 60_000;

/** A service says the time of an event in seconds, by a clock of its own. */
const clockMs = 2_000;

interface Opening {
  readonly person: Principal;
  readonly source: TaskSource;
  readonly event: ReceivedEvent;
}

/** Ignores an event that belongs to no source, that is older than its source, or whose source has a problem. */
export async function openByRules(parts: SourceParts, workspaceId: string, event: ReceivedEvent): Promise<void> {
  const found = await parts.storage.system.findTaskSources('trigger', [event.subscriptionId]);
  for (const { workspaceId: of, source } of found) {
    const at = Date.parse(event.at);
    const isOld = at < Date.parse(source.createdAt) - clockMs || at < parts.now().getTime() - rememberedMs;
    if (of !== workspaceId || isOld) continue;
    if ((await findProblem(parts, workspaceId, source)) !== undefined) continue;
    const person = await findSourcePerson(parts, workspaceId, source);
    const rule = findRule(source.rules ?? [], event.payload);
    if (typeof person !== 'string' && rule) await open(parts, { person, source, event }, rule);
  }
}

async function open(parts: SourceParts, opening: Opening, rule: StoredTriggerRule): Promise<void> {
  const { person, source } = opening;
  const issue = newIssue(parts.now(), opening, rule);
  const { id, repo, org = ownOrg, workspaceId } = issue;
  const table = parts.storage.workspace(workspaceId).issues;
  const isKnown = (await table.find(id)) !== undefined;
  const isPaused = repo !== undefined && (await readRepo(parts, workspaceId, { repo, org })).value === 'paused';
  if (!isKnown && isPaused) return;
  const row = draft('issue.created', person, parts.now(), { issue: id, source: source.id, ...defined({ repo }) });
  await table.insert(issue, [row]);
  await startActors(parts, issue);
  await assign(parts, opening, { issue, rule });
}

function newIssue(at: Date, { person, source, event }: Opening, rule: StoredTriggerRule): Issue {
  const { title, body, repo, project } = fillRule(rule, event.payload);
  return {
    id: `iss_${idAt(event.at, `${source.id}:${event.id}`)}`,
    workspaceId: person.workspaceId,
    title: title.replace(/\s+/g, ' ').trim().slice(0, longest.title) || event.trigger,
    ...defined({ body: body?.slice(0, longest.body), repo, project }),
    org: orgOf(repo) ?? ownOrg,
    labels: [...(rule.labels ?? [])],
    checks: source.checks,
    // Whoever caused the event is not a principal here and has no rights.
    createdBy: { kind: 'api_key', id: `source:${source.id}`, name: `${event.app} (trigger)` },
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
  };
}

/** Nobody, if the agent was removed, even if another one has its name now. */
async function assign(
  parts: SourceParts,
  { person, source, event }: Opening,
  { issue, rule }: { readonly issue: Issue; readonly rule: StoredTriggerRule },
): Promise<void> {
  const { agentId } = rule;
  const agent = agentId && (await parts.storage.workspace(person.workspaceId).findAgent(agentId));
  if (!agent || agent.id !== agentId) return;
  const assignment = { agentId, onBehalfOf: { ...principalRef(person) } };
  const isNew = await sendOnce(parts, issueAddress(person, issue.id), {
    event: { type: 'ASSIGN_AGENT', agent: agent.slug, assignment },
    key: `trigger:${event.id}:assign`,
  });
  if (!isNew) return;
  const row = draft('issue.assigned', person, parts.now(), {
    issue: issue.id,
    source: source.id,
    agent: agent.slug,
  });
  await parts.journal.append({ workspaceId: person.workspaceId, events: [row] });
}
