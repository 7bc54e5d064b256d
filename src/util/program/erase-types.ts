/** Removes the types from one program. Runs in a worker. */
import { transformSync } from '@swc/wasm-typescript';
import type { StrippedProgram } from './strip-types.js';

/** The error that the parser throws for a program. */
interface Complaint {
  readonly message: string;
  readonly startLine: number;
  /** From 0. */
  readonly startColumn: number;
}

/** For syntax that types alone cannot explain: what to write instead. */
const instead: readonly (readonly [complaint: RegExp, advice: string])[] = [
  [/enum/, 'An enum cannot be used: write a union of literals, or an object "as const"'],
  [/parameter property/, 'A parameter property cannot be used: declare the field, and set it in the constructor'],
  [/namespace|module/, 'A namespace cannot be used: write an object'],
  [/angle-bracket/, 'A type in angle brackets cannot be used: write "value as Type"'],
  [/import equals/, '"import … = …" cannot be used: write "import … from …"'],
  [/export assignment/, '"export =" cannot be used: write "export default"'],
];

/** Throws `RangeError` for a program that is nested too deeply, after which this process is of no use. */
export function eraseTypes(program: string): StrippedProgram {
  // The parser drops a byte order mark, which would shift all positions.
  const text = program.replace(/^\ufeff/, ' ');
  try {
    const { code } = transformSync(text, { mode: 'strip-only', filename: 'program.ts' });
    if (code.length !== text.length) throw new Error('The parser moved the program');
    return { code };
  } catch (error) {
    if (isComplaint(error)) return { issue: explain(text, error) };
    // Also for a trap of WebAssembly, which leaves the parser's memory as it was.
    if (error instanceof RangeError || Object(error).name === 'RuntimeError')
      throw new RangeError('Maximum call stack size exceeded', { cause: error });
    throw error;
  }
}

function isComplaint(error: unknown): error is Complaint {
  return typeof error === 'object' && error !== null && 'startLine' in error && 'message' in error;
}

function explain(text: string, { message, startLine: line, startColumn }: Complaint) {
  const before = (text.split('\n')[line - 1] ?? '').slice(0, startColumn);
  // For other characters, the parser counts columns by their display width.
  const column = /^[\t\x20-\x7e]*$/.test(before) ? startColumn + 1 : 1;
  const found = /not supported/.test(message) ? instead.find(([complaint]) => complaint.test(message)) : undefined;
  return { line, column, message: found?.[1] ?? message.replaceAll('\n', ' ') };
}
