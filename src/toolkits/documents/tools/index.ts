import type { ToolDefinition } from '../../../spec/tool.js';
import { createDocument } from './create-document.js';

export const documentTools: readonly ToolDefinition[] = [createDocument];
