/** The text of a program of an agent, before it runs. */
export { type StrippedProgram, stripTypes } from './strip-types.js';
export { tokenize } from './tokens.js';
export { type WrappedProgram, wrap } from './wrap.js';
