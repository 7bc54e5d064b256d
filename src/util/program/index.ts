/** Prepares the text of an agent's program before it runs. */
export { awaitImports } from './imports.js';
export { type StrippedProgram, stripTypes } from './strip-types.js';
export { type RunnableProgram, toRunnable } from './to-runnable.js';
export { tokenize } from './tokens.js';
export { type WrappedProgram, wrap } from './wrap.js';
