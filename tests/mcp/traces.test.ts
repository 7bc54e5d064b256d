/** One trace from the client of an agent through Helve to an MCP server behind it. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SpanKind } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpProvider } from '../../src/providers/mcp/index.js';
import { openTestServer, type TestTool } from '../../src/providers/mcp/testing/servers.js';
import { atEnd, bearer, endAll, openRealDoor } from './real-door.js';

afterEach(endAll);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;
const versions = [
  ['2025-11-25', 'legacy', 'sessions'],
  ['2026-07-28', { pin: '2026-07-28' }, 'stateless'],
] as const;

describe.each(versions)('R-operate: %s', (_, mode, kind) => {
  /** Calls a tool of a server behind Helve; returns what that server got in `_meta`, and the spans of Helve. */
  async function callThrough(
    traced: boolean,
    sent: { meta?: Record<string, unknown>; headers?: Record<string, string> },
  ) {
    const got: unknown[] = [];
    const look: TestTool = {
      name: 'look',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      run(_input, { mcpReq }) {
        got.push(mcpReq._meta?.traceparent);
        return { content: [], structuredContent: {} };
      },
    };
    const server = await openTestServer([look], kind);
    atEnd(() => server.close());
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const servers = [{ slug: 'behind', transport: { kind: 'http' as const, url: server.url } }];
    const real = await openRealDoor({
      nativeToolkits: [],
      providers: [createMcpProvider({ servers })],
      ...(traced ? { tracerProvider } : {}),
    });
    const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { ...bearer(real.alice), ...sent.headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit }));
    atEnd(() => client.close());
    const name = (await client.listTools()).tools.find((tool) => tool.name.endsWith('look'))?.name ?? '';
    const answer = await client.callTool({ name, arguments: {}, ...(sent.meta ? { _meta: sent.meta } : {}) });
    expect(answer.isError).not.toBe(true);
    const call = exporter.getFinishedSpans().find((span) => span.name === `tools/call ${name}`);
    return { got, call };
  }

  it.each([
    ['in _meta', { meta: { traceparent } }],
    ['as a header', { headers: { traceparent } }],
  ])('a trace that the client sends %s goes on to the server behind', async (_where, sent) => {
    const { got, call } = await callThrough(true, sent);
    expect(call?.kind).toBe(SpanKind.SERVER);
    expect(call?.attributes['mcp.method.name']).toBe('tools/call');
    expect(call?.spanContext().traceId).toBe(traceId);
    expect(call?.parentSpanContext?.spanId).toBe(spanId);
    expect(got).toEqual([`00-${traceId}-${call?.spanContext().spanId}-01`]);
  });

  it('without traces nothing is passed on, whatever the client sends', async () => {
    const { got, call } = await callThrough(false, { meta: { traceparent }, headers: { traceparent } });
    expect([got, call]).toEqual([[undefined], undefined]);
  });
});
