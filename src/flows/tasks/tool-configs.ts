/** The tool configs of organisations, repositories, projects and issues: kept here, combined by `resolveToolConfig`. */
import { principalRef } from '../../audit/index.js';
import type { AuditDraft } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueActs, ToolConfigPlace, ToolConfigView } from '../../domain/issue-acts.js';
import type { Principal } from '../../domain/principal.js';
import type { Issue, ToolConfig } from '../../domain/task.js';
import type { ResolvedToolConfig } from '../../domain/task-scope.js';
import { type LevelledToolConfig, resolveToolConfig } from '../../tasks/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { draft, requireVersion } from '../workspaces/index.js';
import { changedAt } from './changed-at.js';
import { readIssue } from './issues.js';
import { requireKnownApps } from './known-apps.js';
import { resolveRepo } from './known-repos.js';
import { ownOrg, type TaskParts } from './parts.js';
import { orgOf } from './repo-name.js';
import { wakeWaiting } from './wake.js';

const maxRounds = 10;

type ConfigActs = Pick<IssueActs, 'getToolConfig' | 'putToolConfig' | 'getEffectiveToolConfig'>;

export function createToolConfigs(parts: TaskParts): ConfigActs {
  const { now } = parts;
  return {
    getToolConfig: async (principal, place) => viewOf((await readPlace(parts, principal, place)).config),
    async putToolConfig(principal, named, { ifMatch, ...config }) {
      // Refuses names that mean nothing.
      resolveToolConfig([{ level: named.level, ...config }]);
      const { notice, ...place } = await resolvePlace(parts, principal, named);
      for (let round = 1; round <= maxRounds; round++) {
        const before = await readPlace(parts, principal, place);
        requireVersion(ifMatch, versionOf(before.config), () => differences(before.config, config));
        await requireKnownApps(parts, config, before.config);
        const at = now();
        const row = draft('tool_config.changed', principal, at, { ...place });
        if (!(await before.write(config, at, row))) continue;
        await wakeWaiting(parts, principal.workspaceId, `config:${place.level}:${place.id}:${at.toISOString()}`);
        return { ...viewOf(config), ...defined({ notice }) };
      }
      throw new HelveError('conflict', 'The tool config is being changed by others', { hint: 'Try again.' });
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

/** A config of a repository that is there may have been made before names were checked. */
async function resolvePlace(
  parts: TaskParts,
  principal: Principal,
  place: ToolConfigPlace,
): Promise<ToolConfigPlace & { readonly notice?: string }> {
  if (place.level !== 'repo' || Object.keys((await readPlace(parts, principal, place)).config).length > 0) return place;
  const { repo, notice } = await resolveRepo(parts, principal, { at: 'id', repo: place.id });
  return { level: 'repo', id: repo, ...defined({ notice }) };
}

const versionOf = (config: ToolConfig): string => sha256(canonicalJson(config)).slice(0, 16);
const viewOf = (config: ToolConfig): ToolConfigView => ({ ...config, version: versionOf(config) });

const members = ['enabled', 'disabled', 'includeDefaults', 'requiredApps'] as const;

/** The differences between the current config and the one that was sent. */
function differences(present: ToolConfig, sent: ToolConfig): readonly string[] {
  const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
  return members
    .filter((name) => show(present[name]) !== show(sent[name]))
    .map((name) => `${name} is ${show(present[name])}`);
}

interface PlaceConfig {
  readonly config: ToolConfig;
  /** False, and nothing is written, if it was changed since it was read. */
  readonly write: (config: ToolConfig, at: Date, event: AuditDraft) => Promise<boolean>;
}

async function readPlace(parts: TaskParts, principal: Principal, { level, id }: ToolConfigPlace): Promise<PlaceConfig> {
  const { issues } = parts.storage.workspace(principal.workspaceId);
  if (level === 'issue') {
    const issue = await findIssue(parts, principal, id);
    return {
      config: issue.tools ?? {},
      write: (tools, at, event) =>
        issues.change({ ...issue, tools, updatedAt: changedAt(issue, at) }, [event], issue.updatedAt),
    };
  }
  const before = await issues.findConfig(level, id);
  const updatedBy = principalRef(principal);
  return {
    config: before?.config ?? {},
    write: (config, at, event) =>
      issues.putConfig({ level, id, config, updatedAt: at.toISOString(), updatedBy }, before, [event]),
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
