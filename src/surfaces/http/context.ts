/** What all files of this surface know about a request and the application that serves it. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Log } from '../../domain/log.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';

export interface HttpEnvironment {
  /** Absent if the application is called in process, without a socket. */
  Bindings: Partial<HttpBindings>;
}

export type HttpContext = Context<HttpEnvironment>;
export type HttpApp = Hono<HttpEnvironment>;

/** The MCP door, which gets requests that have passed the gate and whose sender is known. */
export type McpHandler = (
  request: Request,
  principal: Principal,
  agentSlug: string,
  environment: Partial<HttpBindings>,
) => Promise<Response>;

/** As `McpHandler`, for callers that act for themselves. */
export type TaskMcpHandler = (request: Request, principal: Principal) => Promise<Response>;

export interface HttpAppOptions {
  readonly plane: Plane;
  readonly mcp?: McpHandler;
  /** The MCP door of tasks. */
  readonly taskMcp?: TaskMcpHandler;
  /** The address that people and clients use: `http://127.0.0.1:4870`. */
  readonly publicUrl: string;
  /** Host names (`name` or `name:port`) that are served besides loopback and the public one. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may call, besides our own. They still get no cookie and no CORS headers. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of the proxies that are trusted to state the client's address. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** The folder of the built panel. Without it, /panel/ says that there is none. */
  readonly panelFolder?: string;
  /** Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Gets a line for each request. Default: none is written. */
  readonly log?: Log | undefined;
  /** Receives errors that callers do not see. Default: `log`, else standard error. */
  readonly reportError?: (error: unknown) => void;
}
