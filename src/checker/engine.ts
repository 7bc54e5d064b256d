/**
 * What the two compilers have in common, as the rules and the messages see it. Both are used synchronously, in a thread of
 * their own.
 */

/** A node of a syntax tree. Which members it has depends on its kind. */
export interface Node {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  readonly parent: Node;
  readonly text?: string;
  readonly name?: Node;
  readonly propertyName?: Node;
  readonly expression?: Node;
  readonly argumentExpression?: Node;
  readonly arguments?: readonly Node[];
  readonly initializer?: Node;
  readonly type?: Node;
  readonly typeName?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operatorToken?: Node;
  readonly whenTrue?: Node;
  readonly whenFalse?: Node;
  readonly body?: Node;
  readonly statements?: readonly Node[];
  readonly elements?: readonly Node[];
  readonly properties?: readonly Node[];
  readonly parameters?: readonly Node[];
  readonly modifiers?: readonly Node[];
  readonly dotDotDotToken?: Node;
  readonly flags: number;
  getStart(): number;
  forEachChild(each: (child: Node) => undefined): unknown;
}

export interface Type {
  readonly id: number;
  readonly flags: number;
}

interface CompilerSymbol {
  readonly name: string;
}

/** The part of the type checkers of TypeScript 5.9 and 7 that has the same names in both. */
export interface Types {
  getTypeAtLocation(node: Node): Type | undefined;
  getContextualType(node: Node): Type | undefined;
  getPropertyOfType(type: Type, name: string): CompilerSymbol | undefined;
  getPropertiesOfType(type: Type): readonly CompilerSymbol[];
  getNonNullableType(type: Type): Type | undefined;
  getTypeOfSymbol(symbol: CompilerSymbol): Type | undefined;
  isArrayType(type: Type): boolean;
  getTypeArguments(type: Type): readonly Type[];
  getSignaturesOfType(type: Type, kind: number): readonly unknown[];
  getReturnTypeOfSignature(signature: unknown): Type | undefined;
  typeToString(type: Type): string;
}

/** What the compiler complains of. */
export interface Problem {
  readonly start: number;
  readonly end: number;
  readonly code: number;
  /** From the outermost to the innermost cause. */
  readonly causes: readonly string[];
  readonly isSyntax: boolean;
}

export interface Inspection {
  readonly root: Node;
  readonly problems: readonly Problem[];
  readonly types: Types;
  readonly flags: TypeFlags;
  kindOf(node: Node): string;
}

/** The flags of types that matter here; their numbers differ between the compilers. */
export interface TypeFlags {
  readonly any: number;
  readonly unknown: number;
  readonly void: number;
}

export interface SourceTexts {
  readonly tools: string;
  readonly program: string;
}

export interface Engine {
  /** Its server, where it has one: killed from outside when it does not answer. */
  readonly processId: number | undefined;
  inspect(texts: SourceTexts): Inspection;
  close(): void;
}

export type EngineName = 'native' | 'javascript';

/** The options of both. What is reported does not depend on lines, comments or configuration of the host. */
export const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
} as const;

/** The first name of a kind is its own; later ones mark the ends of ranges. */
export function nameKinds(kinds: Readonly<Record<string, string | number>>): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const [name, kind] of Object.entries(kinds))
    if (typeof kind === 'number' && !names.has(kind)) names.set(kind, name);
  return names;
}
