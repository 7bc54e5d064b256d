/** JSON Schemas as TypeScript declarations. */
export { type FunctionEntry, printFunctions, printTypeScript } from './print.js';
