/**
 * What the functions of this folder find in the process they run in. They are sent there as text, so they may use
 * only their parameters: the first one is always this kit, which holds the libraries and each other.
 */
import type * as slimdom from 'slimdom';
import type {
  IndexedText,
  NamedPlace,
  QueryAnswer,
  QueryRequest,
  Refusal,
  SearchRequest,
  SearchResult,
  Unwrapped,
  Variable,
} from './messages.js';

export type Element = slimdom.Element;

/** The part of fontoxpath that is used; its own types would bring the browser's into the whole project. */
export interface XPathEngine {
  readonly evaluateXPath: ((...of: readonly unknown[]) => unknown[]) & {
    readonly ALL_RESULTS_TYPE: number;
    readonly XQUERY_3_1_LANGUAGE: string;
  };
  parseScript(query: string, options: object, factory: slimdom.Document): Element;
  registerCustomXPathFunction(
    name: { namespaceURI: string; localName: string },
    takes: readonly string[],
    gives: string,
    work: (facade: unknown, ...values: never[]) => unknown,
  ): void;
  registerXQueryModule(text: string): string;
  createTypedValueFactory(type: string): (value: unknown, facade: unknown) => unknown;
  readonly domFacade: unknown;
}

export interface SearchLibrary {
  new (options: object): SearchIndex;
}

export interface SearchIndex {
  has(id: string): boolean;
  discard(id: string): void;
  add(document: Readonly<Record<string, string>>): void;
  search(query: string, options: object): { id: string; score: number; match: Record<string, string[]> }[];
  getStoredFields(id: string): Record<string, unknown> | undefined;
}

export interface KeptDocument {
  readonly version: number;
  readonly document: slimdom.Document;
}

export interface EngineState {
  /** By path. */
  readonly documents: Map<string, KeptDocument>;
  readonly paths: WeakMap<object, string>;
  /** Paths that the running query may see, in order. */
  visible: readonly string[];
  /** Thrown inside the engine, which would bring it out wrapped into words of its own. */
  raised: Error | undefined;
  index: SearchIndex | undefined;
}

type Variables = Readonly<Record<string, Variable>>;

/** The libraries and what was kept since the process began. */
export interface Held {
  readonly fontoxpath: XPathEngine;
  readonly slimdom: typeof slimdom;
  readonly MiniSearch: SearchLibrary;
  readonly state: EngineState;
  /** XQuery of `helpers.ts`. */
  readonly helpers: string;
  readonly refusal: (code: Refusal['code'], message: string, hint?: string) => Error;
}

/** Each function of this folder under its own name; `launch.ts` writes the same object into the process. */
export interface Functions {
  // parse-xml.ts
  readonly checkShape: (kit: Kit, text: string, maxDepth: number) => void;
  readonly joinText: (document: slimdom.Document) => void;
  readonly placeOf: (text: string, offset: number) => string;
  readonly parseDocument: (kit: Kit, text: string, maxDepth: number) => slimdom.Document;
  // tree.ts
  readonly elementsOf: (parent: slimdom.Node) => Element[];
  readonly nameIs: (element: Element | undefined | null, ...names: readonly string[]) => boolean;
  readonly make: (near: Element, name: string, ...content: readonly (Element | string)[]) => Element;
  readonly copyOf: (element: Element, into: Element) => Element;
  readonly parseQuery: (kit: Kit, query: string, factory: slimdom.Document) => Element;
  readonly resolveFunctions: (kit: Kit, module: Element) => void;
  readonly straightenArrows: (kit: Kit, module: Element) => void;
  readonly template: (kit: Kit, query: string, parts: Readonly<Record<string, Element>>) => Element;
  readonly asText: (kit: Kit, item: unknown) => string;
  // refuse.ts
  readonly refuseUnsupported: (kit: Kit, module: Element, elsewhere?: boolean) => void;
  readonly explainProblem: (kit: Kit, error: unknown, query: string) => Error;
  readonly guessFeature: (kit: Kit, query: string) => string | undefined;
  readonly withoutLiterals: (kit: Kit, query: string) => string;
  // rewrite.ts, group-by.ts
  readonly rewriteFunctions: (kit: Kit, module: Element) => void;
  readonly rewritePaths: (kit: Kit, element: Element, outermost: boolean) => void;
  readonly shortenSteps: (kit: Kit, path: Element) => void;
  readonly isOneStep: (kit: Kit, step: Element) => boolean;
  readonly onlyRelativePositions: (kit: Kit, steps: readonly Element[]) => boolean;
  readonly splitOrder: (kit: Kit, module: Element) => void;
  readonly groupTuples: (kit: Kit, flwor: Element) => void;
  readonly materialisePositions: (kit: Kit, flwor: Element) => void;
  // declarations.ts, evaluate.ts
  readonly addDeclarations: (kit: Kit) => void;
  readonly addWriting: (kit: Kit) => void;
  readonly declare: (kit: Kit, name: string, takes: readonly string[], gives: string, work: Work) => void;
  readonly bindVariables: (kit: Kit, variables: Variables) => Record<string, unknown>;
  readonly convertVariables: (kit: Kit, module: Element, variables: Variables) => Variables;
  readonly runQuery: (kit: Kit, request: QueryRequest) => QueryAnswer;
  // review.ts
  readonly reviewQuery: (kit: Kit, query: string) => readonly NamedPlace[];
  readonly unwrapAnswer: (kit: Kit, answer: string) => Unwrapped;
  // search-index.ts
  readonly foldWord: (kit: Kit, word: string) => string;
  readonly textOf: (kit: Kit, document: slimdom.Document) => { text: string; attributes: string };
  readonly addToIndex: (kit: Kit, added: readonly IndexedText[], removed: readonly string[]) => void;
  readonly searchIndex: (kit: Kit, request: SearchRequest) => readonly SearchResult[];
  readonly snippetOf: (kit: Kit, text: string, words: ReadonlySet<string>) => string;
}

export type Work = (...of: never[]) => unknown;

export interface Kit extends Held, Functions {}
