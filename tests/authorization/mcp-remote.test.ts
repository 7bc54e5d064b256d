/** `mcp-remote`, with which clients without OAuth reach servers that need it: driven with our browser instead of a person's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, it } from 'vitest';
import { houseTools } from '../mcp/house-tools.js';
import { endAll } from '../mcp/real-door.js';
import { answerPage, openGround } from './ground.js';

afterAll(endAll);

describe('R-mcp-server: mcp-remote', () => {
  it('R-mcp-server: signs in through the page and calls a tool', async () => {
    const ground = await openGround({ tools: houseTools });
    const folder = await mkdtemp(join(tmpdir(), 'helve-mcp-remote-'));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        'node_modules/mcp-remote/dist/proxy.js',
        ground.alice.address,
        '--transport',
        'http-only',
        '--host',
        '127.0.0.1',
      ],
      // Without a program to open a browser, it prints the address.
      env: { PATH: folder, HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
      stderr: 'pipe',
    });
    let said = '';
    let answered = false;
    transport.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /(http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+)\s/.exec(said)?.[1];
      if (address === undefined || answered) return;
      answered = true;
      void answerPage(ground, address)
        .then((back) => fetch(back))
        .catch((error: unknown) => {
          said += String(error);
        });
    });
    const client = new Client({ name: 'test', version: '0' });
    try {
      await client.connect(transport).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${said}`);
      });
      const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
      expect(JSON.stringify(result.content)).toContain('Ada');
      expect(answered).toBe(true);
      const calls = (await ground.helve.audited()).filter(({ type }) => type === 'execution.finished');
      expect(calls).toMatchObject([{ actor: { name: 'alice' }, onBehalfOf: { kind: 'user' } }]);
    } finally {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 30_000);
});
