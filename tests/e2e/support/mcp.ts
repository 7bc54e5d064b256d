/** The official 2025-11-25 client, over Streamable HTTP and over the standard input and output of a child. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { cleanEnvironment, program } from './server.js';

type Fetch = NonNullable<NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>['fetch']>;

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '0.0.0' });
  await client.connect(transport);
  return client;
}

export function overHttp(url: string, token: string, fetch?: Fetch): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(fetch === undefined ? {} : { fetch }),
  });
  return connected(transport as Transport);
}

export function overStdio(dataDir: string, agent: string): Promise<Client> {
  const args = [program, 'serve', '--stdio', '--agent', agent, '--data', dataDir];
  return connected(
    new StdioClientTransport({ command: process.execPath, args, env: cleanEnvironment(), stderr: 'ignore' }),
  );
}

/** What a model reads. */
export function textOf(result: unknown): string {
  return (result as { content: { text?: string }[] }).content.map(({ text }) => text ?? '').join('\n');
}
