import { describe, expect, it } from 'vitest';
import type { ListedTool, ToolResult } from '../domain/execution.js';
import type { JsonSchema, JsonValue } from '../domain/json.js';
import { testProviderTool } from '../testing/provider-tool.js';
import {
  forModel,
  forPanel,
  standard,
  toAnthropicTool,
  toMcpResult,
  toMcpTool,
  toOpenAiFunction,
  toOpenAiResponsesFunction,
} from './index.js';

const inputSchema: JsonSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function listed(outputSchema?: JsonSchema): ListedTool {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const facts = { title: 'Greet', description: 'Greets', inputSchema, annotations, provider: 'native' } as const;
  const output = outputSchema === undefined ? {} : { outputSchema };
  return { name: 'greet', tool: testProviderTool({ toolkit: 'test', name: 'greet' }, { ...facts, ...output }) };
}

const base = { executionId: 'e1', tool: 'greet', rule: 'r', durationMs: 1 };
const good = (output: JsonValue): ToolResult => ({ ok: true, ...base, output });
const bad: ToolResult = {
  ok: false,
  ...base,
  error: { code: 'rate_limited', message: 'Too many', retryable: true, hint: 'Wait' },
};
const handle = { handle: 'result_1', characters: 20_000, expiresAt: '2030-01-01T00:00:00Z', shape: 'string(20000)' };

describe('R-registry: tools in the shapes of their consumers', () => {
  it('R-registry: every shape carries the schema itself', () => {
    const tool = listed();
    expect(toOpenAiFunction(tool).function).toMatchObject({ name: 'greet', strict: false });
    const schemas = [
      toOpenAiFunction(tool).function.parameters,
      toOpenAiResponsesFunction(tool).parameters,
      toAnthropicTool(tool).input_schema,
      toMcpTool(tool).inputSchema,
    ];
    for (const schema of schemas) expect(schema).toBe(inputSchema);
  });

  it('R-registry: MCP advertises a cut output only if the output can be cut', () => {
    const number: JsonSchema = { type: ['number', 'boolean'] };
    expect(toMcpTool(listed(number)).outputSchema).toBe(number);
    const open: JsonSchema = { type: 'object', properties: { text: { $ref: '#/$defs/t' } }, $defs: { t: {} } };
    const advertised = toMcpTool(listed(open)).outputSchema;
    expect(advertised).toMatchObject({ type: 'object', $defs: { t: {} } });
    expect(advertised?.anyOf).toHaveLength(2);
    const recursive: JsonSchema = { type: 'object', properties: { child: { $ref: '#' } } };
    expect(toMcpTool(listed(recursive)).outputSchema).toBeUndefined();
  });
});

describe('R-format: a result in three shapes', () => {
  it('R-format: for programs, as it is', () => {
    expect(JSON.parse(standard(bad))).toEqual(bad);
  });

  it('R-format: for a model, strings bare, the rest compact, errors with code and hint', () => {
    expect(forModel(good('plain'), 100)).toBe('plain');
    expect(forModel(good({ a: [1, 2] }), 100)).toBe('{"a":[1,2]}');
    expect(forModel(good(null), 100)).toBe('null');
    expect(forModel(bad, 100)).toBe('rate_limited: Too many\nHint: Wait');
  });

  it('R-format: for a model, a notice says what was cut, within the budget', () => {
    const text = '😀'.repeat(10_000);
    for (const maxChars of [200, 201, 999, 10_000]) {
      const shown = forModel({ ...good(text), handle } as ToolResult, maxChars);
      expect(shown.length).toBeLessThanOrEqual(maxChars);
      expect(shown).toMatch(/^(😀)*\n\[Cut: the first \d+ of 20000 characters\. Shape: string\(20000\)\./u);
      expect(shown).toContain('result_read, handle result_1');
    }
    expect(forModel(good('x'.repeat(500)), 100)).toContain('not stored');
    expect(forModel(good('x'.repeat(100)), 100)).toBe('x'.repeat(100));
  });

  it('R-format: for a panel, the widget that fits', () => {
    expect(forPanel(bad)).toEqual({
      type: 'error',
      code: 'rate_limited',
      message: 'Too many',
      retryable: true,
      hint: 'Wait',
    });
    expect(forPanel(good([{ a: 1 }, { b: 2 }]))).toEqual({
      type: 'table',
      columns: ['a', 'b'],
      rows: [
        [1, null],
        [null, 2],
      ],
    });
    expect(forPanel(good({ items: [{ a: 1 }], total: 1 })).type).toBe('table');
    const grid = { columns: ['id', 'name'], rows: [[1, 'Ada']], row_count: 1 };
    expect(forPanel(good(grid))).toEqual({ type: 'table', columns: ['id', 'name'], rows: [[1, 'Ada']] });
    expect(forPanel(good({ ...grid, rows: [] }))).toEqual({ type: 'table', columns: ['id', 'name'], rows: [] });
    const wide = Array.from({ length: 28 }, (_, index) => index);
    expect(forPanel(good({ range: 'A1:AB2', values: [['a'], wide] }))).toMatchObject({
      type: 'table',
      columns: expect.arrayContaining(['A', 'Z', 'AA', 'AB']),
      rows: [['a'], wide],
    });
    const odd: JsonValue[] = [{ columns: ['a'], rows: [1] }, { columns: [1], rows: [[1]] }, { values: [] }];
    for (const output of odd) expect(forPanel(good(output)).type).toBe('text');
    expect(forPanel(good('--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y')).type).toBe('diff');
    expect(forPanel(good({ a: 1 }))).toMatchObject({ type: 'text', language: 'json' });
    expect(forPanel(good('hello'))).toMatchObject({ type: 'text', language: 'plain' });
    const image = { ...good(null), content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] } as ToolResult;
    expect(forPanel(image).type).toBe('image');
  });

  it('R-format: a result of very many rows, or of rows that share no column, is shown without growing many times', () => {
    const rows = Array.from({ length: 200_000 }, () => [1]);
    expect(forPanel(good({ values: rows }))).toEqual({ type: 'table', columns: ['A'], rows });
    const scattered = Array.from({ length: 2_000 }, (_, index) => ({ [`k${index}`]: 1 }));
    for (const output of [scattered, { items: scattered }])
      expect(JSON.stringify(forPanel(good(output))).length).toBeLessThan(4 * JSON.stringify(output).length);
  });

  it('R-format: for MCP, failures are results marked as errors', () => {
    expect(toMcpResult(bad, 100)).toEqual({
      content: [{ type: 'text', text: 'rate_limited: Too many\nHint: Wait' }],
      isError: true,
      _meta: { code: 'rate_limited', retryable: true, executionId: 'e1' },
    });
  });

  it('R-handles: structured content over the budget is the cut that was advertised', () => {
    const result = { ...good({ text: 'x'.repeat(19_989) }), handle } as ToolResult;
    expect(toMcpResult(result, 10_000, {}).structuredContent).toEqual({
      cut: { characters: 20_000, handle: 'result_1', shape: handle.shape, expiresAt: handle.expiresAt },
    });
    expect(toMcpResult(good({ a: 1 }), 10_000, {}).structuredContent).toEqual({ a: 1 });
    expect(toMcpResult(good({ a: 1 }), 10_000).structuredContent).toBeUndefined();
    const blocks = [{ type: 'text', text: 'y'.repeat(20_000) }];
    const { content } = toMcpResult({ ...result, content: blocks } as ToolResult, 10_000);
    expect((content[0] as { text: string }).text.length).toBeLessThanOrEqual(10_000);
  });
});
