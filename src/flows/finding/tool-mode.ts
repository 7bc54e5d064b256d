/** Whether a principal sees all tools, the meta-tools or those of code mode. */
import { codeTools, isMetaTool, metaTools } from '../../domain/discovery.js';
import type { ListedTool } from '../../domain/execution.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';

/** Returns the tools to show out of everything that a principal may call. People and their keys see all tools. */
export function shownTools<Listed extends Pick<ListedTool, 'tool'>>(
  allowed: readonly Listed[],
  principal: Principal,
  configuration: WorkspaceConfiguration,
  directTools: number,
): readonly Listed[] {
  const direct = allowed.filter(({ tool }) => !isMetaTool(tool.id));
  if (principal.kind !== 'agent') return direct;
  const mode = configuration.agents.find(({ id }) => id === principal.id)?.toolMode ?? 'auto';
  if (mode === 'direct' || (mode === 'auto' && direct.length <= directTools)) return direct;
  const names = mode === 'code' ? codeTools : metaTools;
  const shown = allowed.filter(({ tool }) => isMetaTool(tool.id) && names.includes(tool.id.name));
  // If they are switched off in the workspace, in part or completely, they are of no use.
  return shown.length < names.length ? direct : shown;
}
