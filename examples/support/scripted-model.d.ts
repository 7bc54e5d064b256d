export interface ScriptedTurn {
  readonly calls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly text?: string;
}

export interface ScriptedModel {
  readonly url: string;
  /** The bodies of the requests so far, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: each API has its own shape
  readonly requests: any[];
  fetch(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Each turn is sent once as many tool results have arrived as the earlier turns requested. */
export function startScriptedModel(turns: readonly ScriptedTurn[]): Promise<ScriptedModel>;
