/** Programs that agents write over their tools, and the check that each program must pass before it runs. */

/** What is wrong in a program; line and column count from 1, in the text as the model wrote it. */
export interface CodeIssue {
  readonly line: number;
  readonly column: number;
  /** One line, for a model that corrects itself. */
  readonly message: string;
  /** The caller's name of the tool whose call, or whose answer, has the issue. */
  readonly tool?: string;
}

/** The declarations of one namespace: `github`, with the text of `declare namespace github { … }`. */
export interface NamespaceDeclarations {
  readonly namespace: string;
  readonly text: string;
  /** Identifier → name of the tool as the caller sees it. */
  readonly tools: Readonly<Record<string, string>>;
}

export interface CheckedProgram {
  readonly code: string;
  /** Those that the program names. */
  readonly namespaces: readonly NamespaceDeclarations[];
  /** The names of all namespaces that exist, for "did you mean". */
  readonly known: readonly string[];
  /** Names that could mean several namespaces, and so mean none: a toolkit with several accounts. */
  readonly ambiguous?: Readonly<Record<string, readonly string[]>>;
}

export interface CodeChecker {
  /**
   * Returns the identifiers that may mean a namespace, bare or as members of `env`, so that only those namespaces have to
   * be printed and loaded. Some may not be used by the program. Malformed code is read as far as possible.
   */
  namesIn(code: string): readonly string[];
  /** Returns issues for any program, however malformed. Throws only `cancelled`, `shutting_down` and `internal`. */
  check(program: CheckedProgram, signal?: AbortSignal): Promise<{ readonly issues: readonly CodeIssue[] }>;
  close(): Promise<void>;
}
