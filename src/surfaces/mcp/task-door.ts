/** The MCP door of tasks: issues as tools and resources, for callers of their workspace. */
import { createMcpDoor, type McpDoor, type McpDoorOptions } from './door.js';
import { issueResources } from './task-resources.js';
import { createTaskTools } from './task-tools.js';

const instructions =
  'Files issues, gives them to agents and reports their outcomes. An agent that is assigned works by itself; ' +
  'wait_for_issue waits for its next state.';

export function createTaskDoor(
  options: Pick<McpDoorOptions, 'plane' | 'mcpSessions' | 'serverInfo' | 'resultMaxChars' | 'sessionLimits'>,
): McpDoor {
  const { plane, resultMaxChars } = options;
  return createMcpDoor({
    ...options,
    instructions,
    ownTools: createTaskTools(plane, resultMaxChars),
    extras: { resources: issueResources(plane) },
  });
}
