/** For tests: tools as the registry gets them from providers. */
import type { Tool } from '../domain/tool.js';

/** A tool as an external provider lists it, if `overrides` says nothing else: it changes something and takes any object. */
export function testProviderTool(id: Tool['id'], overrides: Partial<Tool> = {}): Tool {
  return {
    id,
    title: id.name,
    description: id.name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    scopes: [],
    risk: 'write',
    highRisk: false,
    capabilities: [],
    examples: [],
    provider: 'mcp',
    hasEffects: true,
    intrinsic: false,
    timeoutMs: 1_000,
    ...overrides,
  };
}
