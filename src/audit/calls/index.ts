/** Lists and figures of calls, from an index over the record. */
export { type CallIndex, createCallIndex } from './call-index.js';
export { type CallColumns, type Field, toColumns } from './columns.js';
export { endTypes, readCall, readStatus } from './facts.js';
export { createFigureGroups } from './figures.js';
export { type CallCondition, createFacetCounts, type FacetCounts, selectCalls } from './select.js';
export { type CallerCounts, type CallSum, createCallerCounts, createCallSums } from './sums.js';
