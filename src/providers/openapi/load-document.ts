/**
 * A document as it comes, text or parsed, ready to be read. JSON is scanned here in slices; YAML and version 2, whose
 * parsing cannot pause, go through a worker, which is ended when it takes too much time or memory.
 */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Workers } from '../../domain/workers.js';
import { defineWorker, smallWork } from '../../util/sandbox/define-worker.js';
import { inSlices } from '../../util/slices.js';
import type { Conversion } from './convert-document.js';
import { type DocumentView, objectView, textView } from './document-view.js';
import { limits } from './limits.js';

const worker = defineWorker<typeof import('./convert-document.js')>(import.meta.url, {
  module: './convert-document.js',
  places: smallWork,
  residentMb: 1_024,
});

/** The JSON of version 3. Throws `invalid_input` with what is wrong with the document. */
export type Convert = (conversion: Conversion) => Promise<string>;

export function convertInWorker(workers: Workers): Convert {
  return (message) => workers.ask(worker, { call: 'convertDocument', message, heapMb: 900, timeoutMs: 40_000 });
}

/** For code that runs in a worker itself. */
export const convertHere: Convert = async (conversion) =>
  (await import('./convert-document.js')).convertDocument(conversion);

/** Returns a view of the document. Throws `invalid_config` if it is not a document, `too_large` if it is too long. */
export async function loadDocument(given: string | JsonObject, convert: Convert): Promise<DocumentView> {
  if (typeof given !== 'string') {
    return isVersionTwo(given.swagger)
      ? getView(await converted(convert, { text: JSON.stringify(given), isYaml: false }))
      : objectView({ ...given });
  }
  if (!/^[\s\ufeff]*\{/.test(given)) return getView(await converted(convert, { text: given, isYaml: true }));
  checkLength(given, limits.documentCharacters, 'It');
  const view = await getView(given);
  return isVersionTwo(view.get(['swagger'])) ? getView(await converted(convert, { text: given, isYaml: false })) : view;
}

/** Also matches YAML without quotes, where the version is a number. */
const isVersionTwo = (version: unknown): boolean => version === '2.0' || version === 2;

const getView = (text: string): Promise<DocumentView> => inSlices(textView(text));

function checkLength(text: string, max: number, what: string): void {
  if (text.length <= max) return;
  throw new HelveError('too_large', `${what} has ${text.length} characters, the maximum is ${max}`);
}

async function converted(convert: Convert, document: Omit<Conversion, 'max'>): Promise<string> {
  const { text, isYaml } = document;
  checkLength(text, limits.yamlCharacters, isYaml ? 'As YAML it' : 'As a document of version 2 it');
  return convert({ text, isYaml, max: limits.documentCharacters });
}
