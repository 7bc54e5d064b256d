/** As much of a plane as the door needs, in memory: it lists, calls and keeps approvals, and checks little. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type ErrorCode, HelveError, toHelveError } from '../../src/spec/errors.js';
import type { CallRequest, ListedTool, ToolResult } from '../../src/spec/execution.js';
import type { JsonSchema, JsonValue } from '../../src/spec/json.js';
import type { Plane } from '../../src/spec/plane.js';
import type { Principal } from '../../src/spec/principal.js';
import { type AuthoredSchema, ToolContent, type ToolDefinition } from '../../src/spec/tool.js';
import { canonicalJson } from '../../src/util/canonical.js';
import { schemaIssues } from '../../src/util/json-schema.js';

export interface FakePlane extends Plane {
  readonly calls: CallRequest[];
  readonly decisions: { principal: Principal; id: string; decision: string; through: string }[];
  readonly approvals_: Map<string, { status: string; key: string; principalId: string }>;
  elicitationAllowed: boolean;
  change(): void;
  hide(name: string): void;
}

export interface FakeOptions {
  readonly tools: readonly ToolDefinition[];
  readonly highRisk?: readonly string[];
  readonly resultMaxChars?: number;
  /** Of all tools, those that this principal may see. */
  readonly visible?: (principal: Principal, name: string) => boolean;
}

export function person(id: string, workspaceId = 'w1'): Principal {
  return { kind: 'agent', id, name: id, workspaceId, permissions: ['tools:read', 'tools:call'] };
}

export function createFakePlane({ tools, highRisk = [], resultMaxChars = 10_000, visible }: FakeOptions): FakePlane {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const listed = new Map(tools.map((tool) => [tool.name, list(tool)]));
  const listeners = new Set<() => void>();
  const sees = (principal: Principal, name: string) => byName.has(name) && (visible?.(principal, name) ?? true);
  const plane: Partial<FakePlane> = {
    calls: [],
    decisions: [],
    approvals_: new Map(),
    elicitationAllowed: true,
    change: () => {
      for (const listener of [...listeners]) listener();
    },
    hide(name) {
      byName.delete(name);
      plane.change?.();
    },
    tools: async (principal) => [...listed.values()].filter(({ name }) => sees(principal, name)),
    onConfigurationChange(_principal, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async decideApproval(principal, id, decision, through) {
      if (!plane.elicitationAllowed) throw new HelveError('forbidden', 'Elicitation may not approve here');
      const approval = plane.approvals_?.get(id);
      if (approval === undefined || approval.principalId !== principal.id) throw new HelveError('not_found', 'None');
      if (approval.status !== 'pending') throw new HelveError('conflict', 'Decided already');
      approval.status = decision;
      plane.decisions?.push({ principal, id, decision, through });
      return {} as never;
    },
    async execute(request) {
      plane.calls?.push(request);
      const base = { executionId: randomUUID(), tool: request.tool, rule: 'test', durationMs: 1 };
      try {
        const tool = sees(request.principal, request.tool) ? byName.get(request.tool) : undefined;
        if (tool === undefined) throw new HelveError('tool_not_found', 'There is no such tool', { hint: 'List them.' });
        const issues = schemaIssues(jsonSchema(tool.inputSchema), request.input as never);
        if (issues.length > 0) {
          throw new HelveError('invalid_input', JSON.stringify(issues), { hint: 'Correct the arguments.' });
        }
        if (highRisk.includes(tool.name)) consume(plane as FakePlane, request);
        return await run(tool, request, base, resultMaxChars);
      } catch (thrown) {
        return { ok: false, ...base, error: toHelveError(thrown, 'tool_failed' as ErrorCode).toJSON() };
      }
    },
  };
  return plane as FakePlane;
}

async function run(
  tool: ToolDefinition,
  request: CallRequest,
  base: { executionId: string; tool: string; rule: string; durationMs: number },
  resultMaxChars: number,
): Promise<ToolResult> {
  const { kind, id, name, workspaceId } = request.principal;
  const output = await tool.execute(
    request.input as never,
    {
      executionId: base.executionId,
      caller: { kind, id, name, workspaceId },
      config: {},
      signal: request.signal ?? new AbortController().signal,
      client: request.client,
      progress: (update: never) => request.onProgress?.(update),
    } as never,
  );
  if (output instanceof ToolContent) {
    return { ok: true, ...base, output: output.output ?? null, content: output.blocks };
  }
  const value = output as JsonValue;
  const characters = JSON.stringify(value).length;
  if (characters <= resultMaxChars) return { ok: true, ...base, output: value };
  const handle = { handle: 'result_1', characters, expiresAt: '2030-01-01T00:00:00Z', shape: 'long' };
  return { ok: true, ...base, output: value, handle };
}

function consume({ approvals_ }: FakePlane, { principal, tool, input, approvalId }: CallRequest): void {
  const key = canonicalJson([tool, input]);
  const found = approvalId === undefined ? undefined : approvals_.get(approvalId);
  if (found?.status === 'approved' && found.key === key && found.principalId === principal.id) {
    found.status = 'used';
    return;
  }
  if (found?.status === 'rejected') throw new HelveError('approval_rejected', 'A person rejected this call');
  if (found?.status === 'used') throw new HelveError('conflict', 'This approval has been used');
  const id = found === undefined ? randomUUID() : (approvalId ?? '');
  approvals_.set(id, { status: 'pending', key, principalId: principal.id });
  const url = `http://localhost/approvals/${id}`;
  throw new HelveError('approval_required', `${tool} waits for a person: ${url}`, {
    hint: 'Tell the person, then call again.',
    details: { approvalId: id, url, expiresAt: '2030-01-01T00:00:00Z' },
  });
}

function list(definition: ToolDefinition): ListedTool {
  const { name, title, description, annotations, capabilities, outputSchema } = definition;
  return {
    name,
    tool: {
      id: { toolkit: 'test', name },
      title,
      description,
      inputSchema: jsonSchema(definition.inputSchema),
      ...(outputSchema === undefined ? {} : { outputSchema: jsonSchema(outputSchema) }),
      annotations,
      capabilities,
      scopes: [],
      risk: 'read',
      highRisk: false,
      examples: [],
      provider: 'native',
      hasEffects: false,
      intrinsic: false,
      timeoutMs: 60_000,
    },
  };
}

function jsonSchema(schema: AuthoredSchema): JsonSchema {
  return schema instanceof z.ZodType ? (z.toJSONSchema(schema) as JsonSchema) : schema;
}
