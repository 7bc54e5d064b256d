/** The tool configs of organisations, repositories, projects and issues: kept here, combined by `resolveToolConfig`. */
import { principalRef } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueActs } from '../../domain/issue-acts.js';
import type { Principal } from '../../domain/principal.js';
import type { Issue, ToolConfig } from '../../domain/task.js';
import type { ResolvedToolConfig } from '../../domain/task-scope.js';
import { type LevelledToolConfig, resolveToolConfig } from '../../tasks/index.js';
import { draft } from '../workspaces/index.js';
import { readIssue } from './issues.js';
import { orgOf, ownOrg, type TaskParts } from './parts.js';
import { wakeWaiting } from './wake.js';

type ConfigActs = Pick<IssueActs, 'getToolConfig' | 'putToolConfig' | 'getEffectiveToolConfig'>;

export function createToolConfigs(parts: TaskParts): ConfigActs {
  const { storage, now } = parts;
  return {
    async getToolConfig(principal, place) {
      if (place.level === 'issue') return (await findIssue(parts, principal, place.id)).tools ?? {};
      return (await storage.workspace(principal.workspaceId).issues.findConfig(place.level, place.id))?.config ?? {};
    },
    async putToolConfig(principal, place, config) {
      // Refuses names that are none.
      resolveToolConfig([{ level: place.level, ...config }]);
      const at = now();
      const row = draft('tool_config.changed', principal, at, { ...place });
      const { issues } = storage.workspace(principal.workspaceId);
      if (place.level === 'issue') {
        const issue = await findIssue(parts, principal, place.id);
        await issues.change({ ...issue, tools: config, updatedAt: at.toISOString() }, [row]);
      } else {
        const stored = { ...place, config, updatedAt: at.toISOString(), updatedBy: principalRef(principal) };
        await issues.putConfig(stored, [row]);
      }
      await wakeWaiting(parts, principal.workspaceId, `config:${place.level}:${place.id}:${at.toISOString()}`);
      return config;
    },
    async getEffectiveToolConfig(principal, { level, id }) {
      if (level === 'issue') return resolveFor(parts, await findIssue(parts, principal, id));
      const places = {
        org: { org: id },
        repo: { org: orgOf(id) ?? ownOrg, repo: id },
        project: { project: id },
      } as const;
      return resolveFor(parts, { workspaceId: principal.workspaceId, ...places[level] });
    },
  };
}

type Places = Pick<Issue, 'workspaceId' | 'org' | 'repo' | 'project' | 'tools'>;

/** The configs of all levels above an issue, its own, and that of its assignment. */
export async function resolveFor(
  { storage }: Pick<TaskParts, 'storage'>,
  { workspaceId, org, repo, project, tools }: Places,
  assignment?: ToolConfig,
): Promise<ResolvedToolConfig> {
  const { issues } = storage.workspace(workspaceId);
  const above = [
    ['org', org],
    ['repo', repo],
    ['project', project],
  ] as const;
  const levels: LevelledToolConfig[] = [];
  for (const [level, id] of above) {
    const stored = id === undefined ? undefined : await issues.findConfig(level, id);
    if (stored) levels.push({ level, ...stored.config });
  }
  if (tools) levels.push({ level: 'issue', ...tools });
  if (assignment) levels.push({ level: 'assignment', ...assignment });
  return resolveToolConfig(levels);
}

async function findIssue(parts: TaskParts, principal: Principal, id: string): Promise<Issue> {
  const [, issue] = await readIssue(parts, principal, id);
  if (issue) return issue;
  throw new HelveError('not_found', `The issue ${JSON.stringify(id)} is not described yet`);
}
