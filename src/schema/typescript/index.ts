/** JSON Schemas as TypeScript declarations. */
export { type DeclarationEntry, type Declarations, printDeclarations, printTypeScript } from './print.js';
