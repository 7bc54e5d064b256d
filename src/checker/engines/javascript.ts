/** TypeScript 5.9, for machines without the native compiler: the same answers, some times slower. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compilerOptions, type Engine, type Node, nameKinds, type Problem, type Types } from '../engine.js';
import { guestLib } from '../guest-lib.js';

/** The part of the package `typescript-js` (TypeScript 5.9 under another name) that is used here. */
interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  readonly TypeFlags: { readonly Any: number; readonly Unknown: number; readonly Void: number };
  readonly ScriptTarget: { readonly ESNext: number };
  readonly ModuleKind: { readonly ESNext: number };
  readonly ModuleDetectionKind: { readonly Force: number };
  readonly ModuleResolutionKind: { readonly Bundler: number };
  createSourceFile(name: string, text: string, target: number, setParents: boolean): Node;
  createProgram(names: readonly string[], options: object, host: object, old?: Program): Program;
}

interface Program {
  getTypeChecker(): Types;
  getSyntacticDiagnostics(file: Node): readonly Diagnostic[];
  getSemanticDiagnostics(file: Node): readonly Diagnostic[];
}

interface Diagnostic {
  readonly start: number;
  readonly length: number;
  readonly code: number;
  readonly messageText: string | MessageChain;
}

interface MessageChain {
  readonly messageText: string;
  readonly next?: readonly MessageChain[];
}

/** Throws where `typescript-js` is not installed. */
export function startJavaScript(): Engine {
  const require = createRequire(import.meta.url);
  const ts = require('typescript-js') as Compiler;
  const libraries = dirname(require.resolve('typescript-js'));
  const options = {
    ...compilerOptions,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.es2024.d.ts'],
    types: [],
  };
  const sources = new Map<string, Node>();
  const parse = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  sources.set('/check/guest.d.ts', parse('/check/guest.d.ts', guestLib));

  function find(path: string): Node | undefined {
    const known = sources.get(path);
    const library = /^\/lib\/(lib\.[\w.]+\.d\.ts)$/.exec(path)?.[1];
    if (known || library === undefined) return known;
    const source = parse(path, readFileSync(join(libraries, library), 'utf8'));
    sources.set(path, source);
    return source;
  }
  const host = {
    getSourceFile: find,
    fileExists: (path: string) => sources.has(path),
    readFile: () => undefined,
    writeFile: () => undefined,
    getDefaultLibFileName: () => '/lib/lib.es2024.d.ts',
    getDefaultLibLocation: () => '/lib',
    getCurrentDirectory: () => '/check',
    getCanonicalFileName: (path: string) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    directoryExists: () => false,
    getDirectories: () => [],
  };
  const kinds = nameKinds(ts.SyntaxKind);
  const flags = { any: ts.TypeFlags.Any, unknown: ts.TypeFlags.Unknown, void: ts.TypeFlags.Void };
  let before: Program | undefined;

  return {
    processId: undefined,
    inspect(texts) {
      for (const [name, text] of [
        ['/check/tools.d.ts', texts.tools],
        ['/check/program.ts', texts.program],
      ] as const)
        if (sources.get(name)?.text !== text) sources.set(name, parse(name, text));
      const program = ts.createProgram(
        ['/check/guest.d.ts', '/check/tools.d.ts', '/check/program.ts'],
        options,
        host,
        before,
      );
      before = program;
      const root = sources.get('/check/program.ts') as Node;
      const syntax = program.getSyntacticDiagnostics(root).map((one) => readProblem(one, true));
      const problems =
        syntax.length > 0 ? syntax : program.getSemanticDiagnostics(root).map((one) => readProblem(one, false));
      return {
        root,
        problems,
        types: program.getTypeChecker(),
        flags,
        kindOf: (node) => kinds.get(node.kind) ?? 'Unknown',
      };
    },
    close: () => undefined,
  };
}

function readProblem({ start, length, code, messageText }: Diagnostic, isSyntax: boolean): Problem {
  const causes: string[] = [];
  let current = typeof messageText === 'string' ? { messageText } : (messageText as MessageChain | undefined);
  while (current) {
    causes.push(current.messageText);
    current = current.next?.[0];
  }
  return { start, end: start + length, code, causes, isSyntax };
}
