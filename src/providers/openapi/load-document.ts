/**
 * A document as it comes, text or parsed, ready to be read. JSON is scanned here in slices; YAML and version 2, whose
 * parsing cannot pause, go through a process of their own, which may be ended when it takes too long or too much.
 */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { runFunction } from '../../util/sandbox/process-function.js';
import { inSlices } from '../../util/slices.js';
import { convertDocument } from './convert-document.js';
import { type DocumentView, objectView, textView } from './document-view.js';
import { limits } from './limits.js';

export async function loadDocument(given: string | JsonObject): Promise<DocumentView> {
  if (typeof given !== 'string') {
    return isVersionTwo(given.swagger)
      ? viewOf(await converted(JSON.stringify(given), false))
      : objectView({ ...given });
  }
  if (!/^[\s\ufeff]*\{/.test(given)) return viewOf(await converted(given, true));
  checkLength(given, limits.documentCharacters, 'It');
  const view = await viewOf(given);
  return isVersionTwo(view.get(['swagger'])) ? viewOf(await converted(given, false)) : view;
}

/** Also in YAML without quotes, where it is a number. */
const isVersionTwo = (version: unknown): boolean => version === '2.0' || version === 2;

const viewOf = (text: string): Promise<DocumentView> => inSlices(textView(text));

function checkLength(text: string, most: number, what: string): void {
  if (text.length <= most) return;
  throw new HelveError('too_large', `${what} has ${text.length} characters, at most ${most} are read`);
}

async function converted(text: string, isYaml: boolean): Promise<string> {
  checkLength(text, limits.yamlCharacters, isYaml ? 'As YAML it' : 'As a document of version 2 it');
  return runFunction({
    libraries: { yaml: 'yaml', upgrader: '@scalar/openapi-upgrader' },
    work: convertDocument,
    data: { text, isYaml, most: limits.documentCharacters },
    timeoutMs: 40_000,
    maxHeapMb: 900,
  });
}
