/**
 * What a native tool reaches on the machine and the network, each behind one shared wall. A tool declares its limits
 * as data (`tool.ts`); the access it gets is already narrowed to them.
 */
import type { Duplex } from 'node:stream';

export interface FileEntry {
  /** The last part of the path. */
  readonly name: string;
  /** Absolute, as the tool would name it to read it. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Bytes; 0 if it is not a file. */
  readonly size: number;
  /** ISO 8601. */
  readonly modified: string;
}

/** Which files a tool may reach. Empty or absent `allowedPaths`: the workspace's own folder. */
export interface FileLimits {
  /**
   * Globs of absolute paths: `/data/research/**`. A relative path is resolved against the fixed part of the first
   * one.
   */
  readonly allowedPaths?: readonly string[];
  /** Maximum size of one file, read or written. */
  readonly maxBytes: number;
  readonly writable: boolean;
  /** Whether to read files with several names, some of which may be outside. Default: false. */
  readonly allowHardLinks?: boolean;
}

/**
 * Confined by descriptor: a path is checked after it is open. Throws `forbidden`, `not_found`, `too_large`,
 * `conflict`.
 */
export interface FileAccess {
  read(path: string): Promise<{ readonly path: string; readonly bytes: Uint8Array }>;
  /** Writes everything or nothing: an overwrite replaces the old file with a new one. */
  write(path: string, bytes: Uint8Array, mode: 'overwrite' | 'append'): Promise<{ readonly path: string }>;
  /** `pattern` is a glob over paths below `path`; without `/` or `**` it matches only in `path` itself. */
  list(
    path: string,
    options: { readonly pattern?: string; readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly truncated: boolean }>;
  stat(path: string): Promise<FileEntry>;
  /** Also creates missing parent folders. */
  createDirectory(path: string): Promise<{ readonly path: string; readonly created: boolean }>;
  /** Deletes a non-empty folder only if `recursive`. */
  delete(
    path: string,
    options: { readonly recursive: boolean; readonly signal?: AbortSignal },
  ): Promise<{ readonly path: string }>;
  /** Never overwrites an existing file. */
  move(from: string, to: string): Promise<{ readonly path: string }>;
}

export interface CommandLimits {
  /** Names of programs, looked up on the sandbox's path. Empty: none. */
  readonly allowedCommands: readonly string[];
  /** Regular expressions (RE2) over the command line, its arguments joined by spaces; a match is refused. */
  readonly blockedPatterns: readonly string[];
  readonly timeoutMs: number;
  readonly cpuSeconds: number;
  readonly memoryMb: number;
  /** Maximum bytes of each of stdout and stderr; the rest is dropped and counted. */
  readonly outputBytes: number;
  /** Size of the writable work folder, and of all files in it together. */
  readonly diskMb: number;
  readonly processes: number;
  readonly network: boolean;
  /** Folders of the machine that the command sees, read-only, at the same path. */
  readonly readPaths: readonly string[];
}

export interface CommandRequest {
  /** Program and arguments; not passed through a shell. */
  readonly argv: readonly string[];
  /** Below the work folder, which is the default, or in one of the read paths. */
  readonly cwd?: string;
  readonly stdin?: string;
  /**
   * Names what the command is to do. Where the work folder outlives the command, the result is remembered under it: see
   * `findEarlier`.
   */
  readonly key?: string;
  /** Files to put into the work folder first, by relative path. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** May only lower the limit. */
  readonly timeoutMs?: number;
}

export interface CommandResult {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes dropped after the limit. */
  readonly droppedStdout: number;
  readonly droppedStderr: number;
  readonly timedOut: boolean;
  /** The limit that ended it; null if it ended on its own. */
  readonly stoppedBy: 'time' | 'memory' | 'cpu' | 'processes' | 'files' | 'disk' | 'output' | null;
  readonly durationMs: number;
}

export interface CommandRunner {
  /**
   * Throws `forbidden` for a command that is not allowed, or `invalid_config`, naming what to install, if this
   * machine cannot confine it.
   */
  run(request: CommandRequest): Promise<CommandResult>;
  /**
   * What became of an earlier `run` under this key, whose answer may have been lost. `none`: it changed nothing that is still
   * there. `begun`: it was started and may have been ended in the middle.
   */
  findEarlier(key: string): Promise<CommandResult | 'none' | 'begun'>;
}

/** A host and port that the operator named in the toolkit's settings. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Plain TCP to the endpoints that the tool's settings name, and no others. */
export interface Connector {
  /** Throws `egress_blocked`, `timeout`, `upstream_failed` or `cancelled`. */
  connect(endpoint: Endpoint): Promise<Duplex>;
}

export interface PageView {
  readonly url: string;
  readonly title: string;
  readonly status: number;
  readonly html: string;
}

/** A real browser whose requests all pass the egress wall. Throws `invalid_config` if none is installed. */
export interface Browser {
  /** Returns the page after its scripts have run. */
  render(request: { readonly url: string; readonly waitMs?: number }): Promise<PageView>;
  /** `cut`: the page goes on below a picture of the whole page. */
  screenshot(request: {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly fullPage: boolean;
    readonly waitMs?: number;
  }): Promise<{ readonly url: string; readonly title: string; readonly png: Uint8Array; readonly cut: boolean }>;
}

export interface DocumentFacts {
  /** `/`-separated, with a leading `/`. */
  readonly path: string;
  readonly mediaType: string;
  /** SHA-256 of the source that the content was made from, or of the content itself. */
  readonly hash: string;
  /** Greater than that of any earlier write to the store; never reused. */
  readonly version: number;
  readonly updatedAt: string;
}

export interface StoredDocument extends DocumentFacts {
  readonly content: string;
}

export type NewDocument = Pick<StoredDocument, 'path' | 'mediaType' | 'hash' | 'content'>;

/** Texts that a toolkit stores for a workspace. No other toolkit and no other workspace sees them. */
export interface DocumentStore {
  put(document: NewDocument): Promise<'created' | 'replaced'>;
  /** Stores a document unless there is one at its path, also if several callers do so at once. Returns whether it was stored. */
  add(document: NewDocument): Promise<boolean>;
  get(path: string): Promise<StoredDocument | undefined>;
  delete(path: string): Promise<boolean>;
  /**
   * Lists documents by path, without content. `prefix` is compared as text; `after` is exclusive. Returns at most
   * 1,000 per call (the default).
   */
  list(query?: { prefix?: string; after?: string; limit?: number }): Promise<DocumentFacts[]>;
  /** Returns whole documents by version, after `since` (exclusive). At most 1,000 per call; default 100. */
  changes(query: { since?: number; limit?: number }): Promise<StoredDocument[]>;
  /** Increases with every write and deletion: 0 for a store that was never used. */
  revision(): Promise<number>;
}

/** A model that writes text, from any vendor. */
export interface LanguageModel {
  /** Its name in answers and in the audit record. */
  readonly id: string;
  generate(request: { readonly system: string; readonly prompt: string; readonly maxTokens: number }): Promise<string>;
}

export interface EmbeddingModel {
  readonly id: string;
  /** Returns one vector per text, in order, all of the same length. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** What the operator configured; absent if nothing. */
export interface Models {
  readonly language: LanguageModel | undefined;
  readonly embedding: EmbeddingModel | undefined;
}

/** What this machine can or cannot do for a toolkit, in plain text. */
export interface MachineCheck {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}
