/** prism on GitHub's OpenAPI document. */
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { startPrism as startPrismOn } from '../../../../tests/counterparts/prism.js';
import { operations } from './operations.js';
import { sliceOfGitHub } from './slice.js';

export function startPrism(): Promise<Counterpart> {
  return startPrismOn(sliceOfGitHub(operations));
}
