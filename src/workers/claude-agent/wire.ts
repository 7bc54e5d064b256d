/** Parts of the Messages API that are read and written here. */
export type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

export interface WireAnswer {
  /** Differs for each answer: the program takes those with one id for parts of one. */
  readonly id: string;
  readonly content: readonly WireBlock[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}
