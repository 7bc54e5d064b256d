/** The toolkits in this repository. Each is loaded when it is first listed or called. */
import type { ToolkitDefinition } from '../spec/tool.js';
import { http } from './http/toolkit.js';
import { keyValue } from './key-value/toolkit.js';
import { math } from './math/toolkit.js';
import { results } from './results/toolkit.js';

export const nativeToolkits: readonly ToolkitDefinition[] = [math, keyValue, http, results];
