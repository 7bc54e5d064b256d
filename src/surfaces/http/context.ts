/** What is known about one HTTP request and the application that serves it, for all files of this door. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';

export interface HttpEnvironment {
  /** Absent where the application is called in process, without a socket. */
  Bindings: Partial<HttpBindings>;
}

export type HttpContext = Context<HttpEnvironment>;
export type HttpApp = Hono<HttpEnvironment>;

/** The MCP door, given a request that has passed the gate and whose sender is known. */
export type McpHandler = (
  request: Request,
  principal: Principal,
  agentSlug: string,
  environment: Partial<HttpBindings>,
) => Promise<Response>;

export interface HttpAppOptions {
  readonly plane: Plane;
  readonly mcp?: McpHandler;
  /** As people and clients reach it: `http://127.0.0.1:4870`. */
  readonly publicUrl: string;
  /** Host names (`name` or `name:port`) that are served beside loopback and the public one. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call, beside the own one. They still get no cookie and no CORS headers. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of proxies whose word about the client's address is taken. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Told about errors that callers are not. Default: standard error. */
  readonly reportError?: (error: unknown) => void;
}
