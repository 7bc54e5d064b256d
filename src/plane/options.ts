/** The options for opening an installation. */

import type { TracerProvider } from '@opentelemetry/api';
import type { AgentDrivers } from '../domain/agent-driver.js';
import type { LogLevel } from '../domain/log.js';
import type { Provider } from '../domain/provider.js';
import type { Setting } from '../domain/settings.js';
import type { Storage } from '../domain/storage.js';
import type { ToolDefinition, ToolkitDefinition } from '../domain/tool.js';
import type { RateLimitOptions } from '../policies/index.js';
import type { EgressPolicy } from '../walls/egress/index.js';
import type { GivenModels } from './wiring/models.js';
import type { SharedProcesses } from './wiring/shared-processes.js';

export interface HelveOptions {
  /** Folder of the embedded store and of `helve.yaml`. Without it and without `database`, everything is in memory. */
  readonly dataDir?: string;
  /** `postgres://…`, or a file path; default: `helve.db` in `dataDir`. */
  readonly database?: string;
  /** PostgreSQL only: maximum number of connections of this process, at least 2. Default 10. */
  readonly databasePoolSize?: number;
  /** A store that is already open, instead of `database`. It is closed with this Helve. */
  readonly storage?: Storage;
  /** Path of `helve.yaml`; default: in `dataDir`. */
  readonly configFile?: string;
  /** The text of `helve.yaml`, instead of a file. */
  readonly config?: string;
  /** Tools of your own, in the toolkit `custom`. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolkits?: readonly ToolkitDefinition[];
  readonly providers?: readonly Provider[];
  /** Default: the bundled ones. */
  readonly nativeToolkits?: readonly ToolkitDefinition[];
  readonly limits?: RateLimitOptions;
  readonly egress?: EgressPolicy;
  /**
   * The address at which people reach this server: the base of links to approvals. A function, since the port may not
   * be known yet.
   */
  readonly publicUrl?: string | (() => string | undefined);
  readonly resultMaxChars?: number;
  readonly resultLifetimeMs?: number;
  readonly approvalLifetimeMs?: number;
  /**
   * Milliseconds between heartbeats of this process, with which it also settles what dead processes left open. Default
   * 10 s.
   */
  readonly heartbeatMs?: number;
  /** Models for the tools that need one: any AI SDK model. Default: those of `helve.yaml`. */
  readonly models?: GivenModels;
  /**
   * Threads and processes that check and run programs, from `createSharedProcesses`, for several Helves in one program. Close them
   * yourself after closing every Helve that uses them. Default: this Helve has its own.
   */
  readonly processes?: SharedProcesses;
  /** The loops of agent SDKs that work on issues, by the worker of an agent. Default: the bundled ones. */
  readonly drivers?: Partial<AgentDrivers>;
  /** The vault's keys, `id:base64,…` with the current one first. Default: a file in `dataDir`. */
  readonly vaultKeys?: string;
  /** What this process was started with besides these options, for `GET /api/settings`. Default: nothing. */
  readonly processSettings?: readonly Setting[];
  /**
   * Where traces of calls go: a tracer provider of your own, with the sampler and the exporters that you choose. It stays yours to
   * shut down. Default: what `telemetry` in `helve.yaml`, or the variables of OpenTelemetry, say.
   */
  readonly tracerProvider?: TracerProvider;
  readonly now?: () => Date;
  /** Lines of JSON about errors, calls and requests: from which level on, and where to (default: standard error). Default: none. */
  readonly log?: { readonly level: LogLevel; readonly write?: (line: string) => void };
  /** Receives errors that callers do not see. Default: `log`, else standard error, where repeated errors are counted. */
  readonly reportError?: (error: unknown) => void;
}
