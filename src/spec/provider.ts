/** The provider port: a source of toolkits. Every provider passes `testing/provider-contract.ts`. */
import type { BoundConnection } from './connection.js';
import type { CallerFacts, ClientChannel, ProgressUpdate } from './context.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ContentBlock, ProviderKind, Tool, Toolkit } from './tool.js';

export interface ProviderCall {
  readonly tool: Tool;
  /** Validated against the tool's schema, defaults filled in; the provider's own to keep. */
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly executionId: string;
  readonly caller: CallerFacts;
  /** The account, for tools of a toolkit that needs one. */
  readonly connection?: BoundConnection;
  readonly signal: AbortSignal;
  readonly client?: ClientChannel;
  readonly progress: (update: ProgressUpdate) => void;
}

export interface ProviderAnswer {
  readonly output: JsonValue;
  readonly content?: readonly ContentBlock[];
}

export interface Provider {
  readonly kind: ProviderKind;
  /** Cheap: no toolkit is loaded for it. */
  toolkits(): Promise<readonly Toolkit[]>;
  /** Loads the toolkit on first use. An unknown slug gives an empty list. */
  tools(toolkit: string): Promise<readonly Tool[]>;
  /** Throws `HelveError`; anything else that is thrown is the tool's own failure. */
  execute(call: ProviderCall): Promise<ProviderAnswer>;
  /** Told when toolkits or tools are no longer what they were. Returns the way to stop. */
  onChange?(listener: () => void): () => void;
  close(): Promise<void>;
}
