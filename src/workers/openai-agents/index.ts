/** The loop of the OpenAI Agents SDK as the worker of an agent. */
export { createOpenAiAgentsDriver } from './openai-agents-driver.js';
