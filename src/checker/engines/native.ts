/** TypeScript 7: its server is kept alive beside this thread, with one project whose libraries stay loaded. */

import type { API, Diagnostic, Snapshot } from 'typescript/unstable/sync';
import {
  compilerOptions,
  type Engine,
  type Node,
  nameKinds,
  type Problem,
  type SourceTexts,
  type Types,
} from '../engine.js';
import { guestLib } from '../guest-lib.js';
import type { NativeCompiler } from './load-native.js';

const config = '/check/tsconfig.json';
const tools = '/check/tools.d.ts';
const program = '/check/program.ts';

/** Throws where the platform has no native compiler, or where its API is not the one that we know. */
export function startNative({ api: compiler, ast, libraries }: NativeCompiler): Engine {
  const files = new Map<string, string>([
    [
      config,
      JSON.stringify({
        compilerOptions: {
          ...compilerOptions,
          target: 'esnext',
          module: 'esnext',
          moduleResolution: 'bundler',
          moduleDetection: 'force',
          lib: ['es2024'],
          types: [],
        },
        files: ['guest.d.ts', 'tools.d.ts', 'program.ts'],
      }),
    ],
    ['/check/guest.d.ts', guestLib],
    [tools, ''],
    [program, ''],
  ]);
  const isLibrary = (path: string) =>
    path.startsWith(libraries) && /^lib\.[\w.]+\.d\.ts$/.test(path.slice(libraries.length));
  // `undefined` makes the compiler read the real file system: allowed only for its own libraries.
  const api = new compiler.API({
    cwd: '/check',
    fs: {
      readFile: (path) => files.get(path) ?? (isLibrary(path) ? undefined : null),
      fileExists: (path) => files.has(path) || isLibrary(path),
      directoryExists: (path) => path === '/check' || path === '/',
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    },
  });
  const { TypeFlags } = compiler;
  const flags = { any: TypeFlags.Any, unknown: TypeFlags.Unknown, void: TypeFlags.Void };
  const kinds = nameKinds(ast.SyntaxKind as unknown as Readonly<Record<string, string | number>>);
  let snapshot: Snapshot = api.updateSnapshot({ openProjects: [config] });

  function update(texts: SourceTexts): void {
    const changed = [
      [tools, texts.tools],
      [program, texts.program],
    ].filter(([path, text]) => files.get(path as string) !== text);
    for (const [path, text] of changed) files.set(path as string, text as string);
    if (changed.length === 0) return;
    const next = api.updateSnapshot({ fileChanges: { changed: changed.map(([path]) => path as string) } });
    snapshot.dispose();
    snapshot = next;
  }

  return {
    processId: findProcess(api),
    inspect(texts) {
      update(texts);
      const project = snapshot.getProjects()[0];
      const root = project?.program.getSourceFile(program);
      if (!project || !root) throw new Error('The compiler has lost its project');
      const read = (found: readonly Diagnostic[], isSyntax: boolean) => found.map((one) => readProblem(one, isSyntax));
      const syntax = read(project.program.getSyntacticDiagnostics(program), true);
      const problems = syntax.length > 0 ? syntax : read(project.program.getSemanticDiagnostics(program), false);
      return {
        root: root as unknown as Node,
        problems,
        types: project.checker as unknown as Types,
        flags,
        kindOf: (node) => kinds.get(node.kind) ?? 'Unknown',
      };
    },
    close: () => api.close(),
  };
}

function readProblem({ pos, end, code, ...rest }: Diagnostic, isSyntax: boolean): Problem {
  const causes: string[] = [];
  let current: Pick<Diagnostic, 'text' | 'messageChain'> | undefined = rest;
  while (current) {
    causes.push(current.text);
    current = current.messageChain?.[0];
  }
  return { start: pos, end, code, causes, isSyntax };
}

/** The API has no other way to stop a server that is busy. */
function findProcess(api: API): number {
  const { client } = api as unknown as { client?: { channel?: { child?: { pid?: number } } } };
  const id = client?.channel?.child?.pid;
  if (id === undefined) throw new Error('The process of the compiler is not where it was');
  return id;
}
