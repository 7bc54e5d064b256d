/** The tools that read and write documents. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { createDocument } from './create-document.js';

export const documentTools: readonly ToolDefinition[] = [createDocument];
