/** Tools that run programs. */
import { executeCode } from './execute-code.js';
import { installPackage } from './install-package.js';

export const codeTools = [executeCode, installPackage];
