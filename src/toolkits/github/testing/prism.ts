/** prism with the part of GitHub's OpenAPI document that `scripts/slice-github-description.js` writes. */
import { readFile } from 'node:fs/promises';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { startPrism as startPrismOn } from '../../../../tests/counterparts/prism.js';

const document = new URL('../../../../tests/data/github-openapi.json', import.meta.url);

export async function startPrism(): Promise<Counterpart> {
  return startPrismOn(JSON.parse(await readFile(document, 'utf8')));
}
