/** The tools of the key-value store. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { keyValueDelete } from './key-value-delete.js';
import { keyValueGet } from './key-value-get.js';
import { keyValueSet } from './key-value-set.js';

export const keyValueTools: readonly ToolDefinition[] = [keyValueGet, keyValueSet, keyValueDelete];
