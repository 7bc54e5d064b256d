/** The door behind a plain Node listener on the loopback, with the Host and Origin checks of the HTTP surface. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../src/spec/principal.js';
import type { McpDoor } from '../../src/surfaces/mcp/index.js';
import { person } from './fake-plane.js';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** `Authorization: Bearer <id>` names the principal; without it, it is `alice`. */
export async function listen(door: McpDoor, principalOf: (id: string) => Principal = person): Promise<Listening> {
  const listener = getRequestListener(async (request) => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    const id = request.headers.get('authorization')?.replace('Bearer ', '') ?? 'alice';
    return door.handle(request, principalOf(id));
  });
  const server: Server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await door.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
