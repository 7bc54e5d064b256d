/**
 * Names of operations: the document's own, in snake case; if that is missing or not unique, the method
 * and path. A name depends on the set of operations and never on their order.
 */
import { sha256 } from '../../util/hash.js';
import type { Sliced } from '../../util/slices.js';

export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
}

const maxLength = 60;

export function* nameOperations(operations: readonly NamedOperation[]): Sliced<string[]> {
  const given: string[] = [];
  for (const { operationId } of operations) {
    given.push(snakeCase(operationId ?? ''));
    yield;
  }
  const counts = tally(given);
  const short: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const name = given[index] ?? '';
    const own = name !== '' && counts.get(name) === 1 && /[a-z]/.test(name);
    short.push(shorten(own ? name : nameByPath(operation), operation));
    yield;
  }
  const again = tally(short);
  return short.map((name, index) =>
    again.get(name) === 1 ? name : withHash(name, operations[index] as NamedOperation),
  );
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** `getPetById` and `pets/get-by-id` as words joined by `_`, beginning with a letter. */
export function snakeCase(text: string): string {
  const words = text
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const joined = words?.join('_') ?? '';
  return /^[0-9]/.test(joined) ? `op_${joined}` : joined;
}

/** `get_pets_by_pet_id` of `GET /pets/{petId}`. */
function nameByPath({ method, path }: NamedOperation): string {
  const parts = path.split('/').map((part) => {
    const variable = /^\{(.*)\}$/.exec(part)?.[1];
    return variable === undefined ? part : `by_${variable}`;
  });
  return snakeCase([method.toLowerCase(), ...parts].join('_'));
}

const shorten = (name: string, operation: NamedOperation): string =>
  name.length <= maxLength ? name : withHash(name, operation);

function withHash(name: string, { method, path }: NamedOperation): string {
  return `${name.slice(0, maxLength - 9).replace(/_+$/, '')}_${sha256(`${method} ${path}`).slice(0, 8)}`;
}

const verbs = new Map(
  Object.entries({
    get: 'get',
    list: 'list',
    find: 'find',
    search: 'search',
    query: 'search',
    fetch: 'get',
    read: 'get',
    show: 'get',
    retrieve: 'get',
    describe: 'get',
    create: 'create',
    add: 'add',
    insert: 'create',
    new: 'create',
    post: 'create',
    update: 'update',
    edit: 'update',
    modify: 'update',
    patch: 'update',
    put: 'update',
    set: 'set',
    replace: 'replace',
    delete: 'delete',
    remove: 'remove',
    destroy: 'delete',
    purge: 'delete',
    cancel: 'cancel',
    send: 'send',
    upload: 'upload',
    download: 'download',
    export: 'export',
    import: 'import',
    start: 'start',
    stop: 'stop',
    enable: 'enable',
    disable: 'disable',
    archive: 'archive',
    restore: 'restore',
    move: 'move',
    copy: 'copy',
    validate: 'validate',
    check: 'check',
    verify: 'verify',
    run: 'run',
    execute: 'run',
    test: 'test',
    revoke: 'revoke',
    publish: 'publish',
    approve: 'approve',
    reject: 'reject',
    invite: 'invite',
    count: 'count',
    assign: 'assign',
  }),
);
const ofMethod: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'check',
  OPTIONS: 'describe',
};

/** The first verb of a name; undefined if there is none. */
export function chooseVerb(name: string): string | undefined {
  const words = name.split('_');
  const word = [words[0], words.at(-1), ...words].find((each) => each !== undefined && verbs.has(each));
  return word === undefined ? undefined : verbs.get(word);
}

/** Verb and object: `list pets` of `GET /pets`, `get pet` of `GET /pets/{id}`. */
export function getCapability(name: string, method: string, path: string): string {
  const segments = (path.split(/[?#]/)[0] ?? '').split('/').filter((segment) => segment !== '');
  const last = segments.findLast((segment) => !segment.includes('{') && /[a-zA-Z]/.test(segment));
  const single = segments.at(-1)?.includes('{') ?? false;
  const verb = chooseVerb(name) ?? ofMethod[method] ?? (single ? 'get' : 'list');
  const object = snakeCase(last ?? name)
    .split('_')
    .slice(0, 4)
    .join(' ');
  const several = verb === 'list' || verb === 'search' || (verb === 'get' && !single);
  return `${verb} ${several ? object : singular(object)}`.slice(0, 80).trim();
}

function singular(noun: string): string {
  if (/(?:ss|us|is|news)$/.test(noun) || noun.length < 4) return noun;
  return noun
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/s$/, '');
}
