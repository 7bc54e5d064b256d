/**
 * Converts YAML and version 2 to the JSON of version 3. Runs in a worker, because neither library can pause.
 * The converter loses bodies that are shared parameters or parameters of a path, and that a form is required. This file
 * corrects both.
 */
import { upgrade } from '@scalar/openapi-upgrader';
import { parse } from 'yaml';
import { HelveError } from '../../domain/errors.js';

export interface Conversion {
  readonly text: string;
  readonly isYaml: boolean;
  /** The maximum length of the JSON, in characters. */
  readonly max: number;
}

type Loose = { [key: string]: unknown };

/** Returns the converted document as JSON text. Throws `invalid_input` for an invalid document or one longer than `max`. */
export function convertDocument(conversion: Conversion): string {
  try {
    return convert(conversion);
  } catch (error) {
    throw new HelveError('invalid_input', error instanceof Error ? error.message : String(error));
  }
}

function convert({ text, isYaml, max }: Conversion): string {
  // Without a limit, the aliases of a kilobyte can expand to a gigabyte.
  const parsed = isYaml ? parse(text, { maxAliasCount: 1_000, merge: true, logLevel: 'error' }) : JSON.parse(text);
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new Error('it is not an object');
  const isTwo = parsed.swagger === '2.0' || parsed.swagger === 2;
  const json = JSON.stringify(isTwo ? fromTwo({ ...parsed, swagger: '2.0' }) : parsed);
  if (json.length > max) throw new Error(`it has ${json.length} characters as JSON, the maximum is ${max}`);
  return json;
}

function fromTwo(document: Loose): unknown {
  const forms = gatherBodies(document);
  const upgraded = toObject(upgrade(document, '3.0'));
  for (const [path, method] of forms) {
    const operation = toObject(toObject(toObject(upgraded.paths)[path])[method]);
    if (operation.requestBody) toObject(operation.requestBody).required = true;
  }
  return upgraded;
}

/** Moves body parameters to their operations, in place. Returns the operations whose forms are required. */
function gatherBodies(document: Loose): [path: string, method: string][] {
  const shared = toObject(document.parameters);
  const written = (each: unknown): Loose => {
    const name = String(toObject(each).$ref ?? '').replace(/^#\/parameters\//, '');
    const target = Object.hasOwn(shared, name) ? toObject(shared[name]) : {};
    return inBody(target) ? target : toObject(each);
  };
  const toList = (list: unknown): Loose[] => (Array.isArray(list) ? list.map(written) : []);
  const forms: [string, string][] = [];
  for (const [path, item] of Object.entries(toObject(document.paths))) {
    const usual = toList(toObject(item).parameters);
    for (const [method, operation] of Object.entries(toObject(item))) {
      if (!/^(?:get|put|post|delete|options|head|patch)$/.test(method)) continue;
      const own = toList(toObject(operation).parameters);
      const inherited = usual.filter(
        (each) => inBody(each) && !own.some((other) => other.name === each.name && inBody(other)),
      );
      const all = [...own, ...inherited];
      toObject(operation).parameters = all;
      if (all.some((each) => each.in === 'formData' && each.required === true)) forms.push([path, method]);
    }
    if (usual.length > 0) toObject(item).parameters = usual.filter((each) => !inBody(each));
  }
  return forms;
}

const toObject = (value: unknown): Loose => (value !== null && typeof value === 'object' ? (value as Loose) : {});
const inBody = (each: Loose): boolean => each.in === 'body' || each.in === 'formData';
