// The words of names and of prose, and their stems, as the built index reads them.
import { dist } from './reranker/dist.js';

const load = (path) => import(new URL(`discovery/text/${path}`, dist));
export const { splitName, splitProse, squash } = await load('split-words.js');
export const { stem } = await load('stem.js');
