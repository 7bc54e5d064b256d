/** Tools that run programs. */
import { executeCode } from './execute-code.js';

export const codeTools = [executeCode];
