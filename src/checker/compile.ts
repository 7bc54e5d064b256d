/** A checked program as the sandbox runs it: the text that was checked, without its types and in the same places. */
import type { CompiledProgram, CompileProgram } from '../domain/code.js';
import type { Workers } from '../domain/workers.js';
import { stripTypes } from '../util/program/index.js';
import { wrap } from './wrap.js';

/** The program is one expression, a function without parameters; the sandbox takes the body of a function. */
const before = 'return await (';
const after = ')();';
/** A `return` is right only inside of a function. */
const open = 'async () => {';
const close = '}';

export function createCompiler(workers: Workers): CompileProgram {
  return async (code, signal) => {
    const { text, prefix } = wrap(code);
    const { code: stripped, issue } = await stripTypes(workers, `${open}${before}${text}${after}${close}`, signal);
    const lines = code.split('\n').length;
    if (issue) {
      const place = findPlace(issue, { lines, shift: open.length + before.length + prefix.length });
      return { issue: { line: 1, column: 1, ...place, message: issue.message } };
    }
    const shift = before.length + prefix.length;
    const program: CompiledProgram = {
      text: stripped.slice(open.length, -close.length),
      findPlace: (place) => findPlace(place, { lines, shift }),
    };
    return { program };
  };
}

type Place = Parameters<CompiledProgram['findPlace']>[0];

/** `shift`: how many characters come before the program on its first line. */
function findPlace({ line, column }: Place, { lines, shift }: { readonly lines: number; readonly shift: number }) {
  if (line < 1 || line > lines) return undefined;
  if (column === undefined) return { line };
  const own = line === 1 ? column - shift : column;
  return own > 0 ? { line, column: own } : { line };
}
