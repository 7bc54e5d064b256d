/** The loop of the Claude Agent SDK as the worker of an agent. */
export { createClaudeAgentDriver } from './claude-agent-driver.js';
