/** What the flows of task sources are given. */
import type { PlaneParts } from '../../parts.js';
import type { TaskParts } from '../parts.js';

export type SourceParts = TaskParts & Pick<PlaneParts, 'accounts'>;
