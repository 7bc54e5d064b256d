/** prism on Slack's description. */
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { startPrism as startPrismOn } from '../../../../tests/counterparts/prism.js';
import { slackDocument } from './document.js';

export function startPrism(): Promise<Counterpart> {
  return startPrismOn(slackDocument());
}
