/**
 * What a native tool reaches of the machine and the network, each behind a wall that is built once.
 * A tool declares its limits as data (`tool.ts`); what it is handed here is already narrowed to them.
 */
import type { Duplex } from 'node:stream';

export interface FileEntry {
  /** The last part of the path. */
  readonly name: string;
  /** Absolute, as the tool would name it to read it. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Bytes; 0 for what is no file. */
  readonly size: number;
  /** ISO 8601. */
  readonly modified: string;
}

/** Which files a tool may reach. Empty or absent `allowedPaths`: the workspace's own folder. */
export interface FileLimits {
  /** Globs of absolute paths: `/data/research/**`. A relative path that a caller sends is taken from the first one's fixed part. */
  readonly allowedPaths?: readonly string[];
  /** Of one file, read or written. */
  readonly maxBytes: number;
  readonly writable: boolean;
  /** Read files that have several names too, some of which may be outside. Default: no. */
  readonly allowHardLinks?: boolean;
}

/** Confined by descriptor: whatever a name resolves to is checked after it is open. Throws `forbidden`, `not_found`, `too_large`, `conflict`. */
export interface FileAccess {
  read(path: string): Promise<{ readonly path: string; readonly bytes: Uint8Array }>;
  /** Whole or not at all: an overwrite puts a new file in the place of the old one. */
  write(path: string, bytes: Uint8Array, mode: 'overwrite' | 'append'): Promise<{ readonly path: string }>;
  /** `pattern` is a glob over paths below `path`; without `/` or `**` it looks at `path` itself only. */
  list(
    path: string,
    options: { readonly pattern?: string; readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly entries: readonly FileEntry[]; readonly truncated: boolean }>;
  stat(path: string): Promise<FileEntry>;
  /** With the missing folders above it. */
  createDirectory(path: string): Promise<{ readonly path: string; readonly created: boolean }>;
  /** A folder with something in it only when `recursive`. */
  delete(
    path: string,
    options: { readonly recursive: boolean; readonly signal?: AbortSignal },
  ): Promise<{ readonly path: string }>;
  /** Never over something that is there. */
  move(from: string, to: string): Promise<{ readonly path: string }>;
}

export interface CommandLimits {
  /** Names of programs, as they are found on the sandbox's path. Empty: none. */
  readonly allowedCommands: readonly string[];
  /** Regular expressions (RE2) over the command line, its arguments joined by spaces; a match is refused. */
  readonly blockedPatterns: readonly string[];
  readonly timeoutMs: number;
  readonly cpuSeconds: number;
  readonly memoryMb: number;
  /** Of each of stdout and stderr; the rest is dropped and said to be. */
  readonly outputBytes: number;
  /** Size of the writable work folder. */
  readonly diskMb: number;
  readonly processes: number;
  readonly network: boolean;
  /** Folders of the machine that the command sees, read-only, at the same path. */
  readonly readPaths: readonly string[];
}

export interface CommandRequest {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  /** Below the work folder, which is where it starts, or in one of the read paths. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Files put into the work folder first, by relative path. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** May only lower the limit. */
  readonly timeoutMs?: number;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that came after the cap and were dropped. */
  readonly droppedStdout: number;
  readonly droppedStderr: number;
  readonly timedOut: boolean;
  /** The limit that ended it; null: it came to its own end. */
  readonly stoppedBy: 'time' | 'memory' | 'cpu' | 'processes' | 'files' | 'output' | null;
  readonly durationMs: number;
}

export interface CommandRunner {
  /** Throws `forbidden` for what is not allowed, `invalid_config` with what to install where this machine cannot confine it. */
  run(request: CommandRequest): Promise<CommandResult>;
}

/** A host and port that the operator named in the toolkit's settings. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Plain TCP to the endpoints that the tool's settings name, and to nothing else. */
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

/** A real browser whose every request passes the egress wall. Throws `invalid_config` where none is installed. */
export interface Browser {
  /** The page after its scripts ran. */
  render(request: { readonly url: string; readonly waitMs?: number }): Promise<PageView>;
  screenshot(request: {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly fullPage: boolean;
    readonly waitMs?: number;
  }): Promise<{ readonly url: string; readonly title: string; readonly png: Uint8Array }>;
}

export interface DocumentFacts {
  /** `/`-separated, beginning with `/`. */
  readonly path: string;
  readonly mediaType: string;
  /** SHA-256 of the source that the content was made of, or of the content itself. */
  readonly hash: string;
  /** Greater than that of anything written to the store before; never used again. */
  readonly version: number;
  readonly updatedAt: string;
}

export interface StoredDocument extends DocumentFacts {
  readonly content: string;
}

/** Texts that a toolkit keeps for a workspace. No other toolkit and no other workspace sees them. */
export interface DocumentStore {
  put(document: Pick<StoredDocument, 'path' | 'mediaType' | 'hash' | 'content'>): Promise<'created' | 'replaced'>;
  get(path: string): Promise<StoredDocument | undefined>;
  delete(path: string): Promise<boolean>;
  /** By path, without content. `prefix` is compared as text; `after` exclusive. At most 1,000 a call, which is the default. */
  list(query?: { prefix?: string; after?: string; limit?: number }): Promise<DocumentFacts[]>;
  /** Whole, by version, after `since` (exclusive). At most 1,000 a call; default 100. */
  changes(query: { since?: number; limit?: number }): Promise<StoredDocument[]>;
  /** Raised by everything that is written or deleted: 0 for a store that was never used. */
  revision(): Promise<number>;
}

/** A model that writes text, whoever serves it. */
export interface LanguageModel {
  /** How it is called in answers and in the record. */
  readonly id: string;
  generate(request: { readonly system: string; readonly prompt: string; readonly maxTokens: number }): Promise<string>;
}

export interface EmbeddingModel {
  readonly id: string;
  /** One vector for each text, in order, all of one length. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** What the operator configured; absent: none. */
export interface Models {
  readonly language: LanguageModel | undefined;
  readonly embedding: EmbeddingModel | undefined;
}

/** What this machine can or cannot do for a toolkit, in plain words. */
export interface MachineCheck {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}
