/** The tools of the memory. */
import { forget } from './forget.js';
import { recall } from './recall.js';
import { remember } from './remember.js';

export const memoryTools = [remember, recall, forget];
