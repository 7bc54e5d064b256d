/** The engine's processes: one pool for parsing and queries, one for full text, each process for one workspace. */
import { createRequire } from 'node:module';
import { answeredValue, type ProcessAnswer } from '../../../util/process-refusal.js';
import { createProcessPool, type PooledProcess } from '../../../util/sandbox/process-pool.js';
import { addDeclarations, addWriting, declare } from './declarations.js';
import { bindVariables, convertVariables, runQuery } from './evaluate.js';
import { groupTuples, materialisePositions } from './group-by.js';
import { helpers } from './helpers.js';
import type { Functions, Kit } from './kit.js';
import type { EngineAnswers, EngineMessage } from './messages.js';
import { checkShape, joinText, parseDocument, placeOf } from './parse-xml.js';
import { explainProblem, guessFeature, refuseUnsupported, withoutLiterals } from './refuse.js';
import { reviewQuery, unwrapAnswer } from './review.js';
import {
  isOneStep,
  onlyRelativePositions,
  rewriteFunctions,
  rewritePaths,
  shortenSteps,
  splitOrder,
} from './rewrite.js';
import { addToIndex, foldWord, searchIndex, snippetOf, textOf } from './search-index.js';
import {
  asText,
  copyOf,
  elementsOf,
  make,
  nameIs,
  parseQuery,
  resolveFunctions,
  straightenArrows,
  template,
} from './tree.js';

const functions: Functions = {
  ...{ addDeclarations, addWriting, declare },
  ...{ bindVariables, convertVariables, runQuery },
  ...{ groupTuples, materialisePositions },
  ...{ checkShape, joinText, parseDocument, placeOf },
  ...{ explainProblem, guessFeature, refuseUnsupported, withoutLiterals },
  ...{ reviewQuery, unwrapAnswer },
  ...{ isOneStep, onlyRelativePositions, rewriteFunctions, rewritePaths, shortenSteps, splitOrder },
  ...{ addToIndex, foldWord, searchIndex, snippetOf, textOf },
  ...{ asText, copyOf, elementsOf, make, nameIs, parseQuery, resolveFunctions, straightenArrows, template },
};

/** Runs there: one message, one answer. */
function answer(kit: Kit, message: EngineMessage): unknown {
  switch (message.act) {
    case 'check':
      kit.parseDocument(kit, message.content, message.maxDepth);
      return undefined;
    case 'load':
      for (const path of message.forgotten) kit.state.documents.delete(path);
      for (const { path, version, content } of message.documents) {
        // Stored documents were held to the depth of their day.
        const document = kit.parseDocument(kit, content, 10_000);
        kit.state.paths.set(document, path);
        kit.state.documents.set(path, { version, document });
      }
      return undefined;
    case 'query':
      return kit.runQuery(kit, message.request);
    case 'index':
      return kit.addToIndex(kit, message.added, message.removed);
    case 'search':
      return kit.searchIndex(kit, message.request);
    case 'review':
      return kit.reviewQuery(kit, message.query);
    case 'unwrap':
      return kit.unwrapAnswer(kit, message.answer);
  }
}

const code = (): string => `
const refusal = (code, message, hint) => Object.assign(new Error(message), { refusal: { code, message, hint } });
const kit = {
  fontoxpath: require(data.fontoxpath), slimdom: require(data.slimdom), MiniSearch: require(data.minisearch), helpers: data.helpers, refusal,
  state: { documents: new Map(), paths: new WeakMap(), visible: [], raised: undefined, index: undefined },
  ${Object.entries(functions)
    .map(([name, part]) => `${name}: ${part.toString()}`)
    .join(',\n')}
};
const answer = ${answer.toString()};
kit.addDeclarations(kit);
return (message) => {
  try { return { value: answer(kit, message) }; }
  catch (error) {
    if (error && error.refusal) return { refusal: error.refusal };
    throw error;
  }
};`;

/** What a process holds: version by path, and for full text the store's revision that it has seen. */
export interface EngineMemory {
  readonly versions: Map<string, number>;
  revision: number;
}

export type EngineProcess = PooledProcess<EngineMemory>;

const { resolve } = createRequire(import.meta.url);
const common = {
  code,
  get data() {
    return {
      fontoxpath: resolve('fontoxpath'),
      slimdom: resolve('slimdom'),
      minisearch: resolve('minisearch'),
      helpers,
    };
  },
  memory: (): EngineMemory => ({ versions: new Map(), revision: 0 }),
  idleMs: 60_000,
};

export const queryProcesses = createProcessPool({ ...common, most: 4, mostOfKey: 2 });
/** One a workspace: a second one would build the whole index again. */
export const searchProcesses = createProcessPool({ ...common, most: 4, mostOfKey: 1 });

export async function askEngine<Act extends keyof EngineAnswers>(
  process: EngineProcess,
  message: Extract<EngineMessage, { act: Act }>,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<EngineAnswers[Act]> {
  return answeredValue(await process.ask<ProcessAnswer<EngineAnswers[Act]>>(message, limits));
}
