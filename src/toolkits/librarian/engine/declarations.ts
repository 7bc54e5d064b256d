/**
 * Functions that a query may call beyond the engine's own: access to the documents that it may see, and our own
 * serialisation of items.
 */
import { helpers } from './helpers.js';
import { fontoxpath, type Work } from './libraries.js';
import { refusal } from './refusal.js';
import { state } from './state.js';
import { asText } from './tree.js';

function declare(name: string, takes: readonly string[], gives: string, work: Work): void {
  const named = { namespaceURI: 'urn:helve:librarian', localName: name };
  fontoxpath.registerCustomXPathFunction(named, takes, gives, (_facade, ...of) => work(...of));
}

/** Once in the life of the process. */
export function addDeclarations(): void {
  const add = (name: string, takes: readonly string[], gives: string, work: Work): void =>
    declare(name, takes, gives, work);
  const getNodes = (paths: readonly string[]): unknown[] =>
    paths.map((path) => state.documents.get(path)?.document).filter((document) => document !== undefined);
  const below = (uri: string | null): unknown[] => {
    const folder = (uri ?? '').replace(/\/+$/, '');
    return getNodes(state.visible.filter((path) => path.startsWith(`${folder}/`)));
  };
  const getPath = (node: { ownerDocument: object | null } | null): string | null =>
    node === null ? null : (state.paths.get(node) ?? null);
  const getRoot = (node: { parentNode: never; ownerElement?: never } | null): never => {
    let root = node as never as { parentNode?: never; ownerElement?: never } | null;
    while (root?.parentNode ?? root?.ownerElement) root = (root?.parentNode ?? root?.ownerElement) as never;
    return root as never;
  };
  const open = (uri: string | null): unknown => {
    if (uri === null) return null;
    const [document] = state.visible.includes(uri) ? getNodes([uri]) : [];
    if (document === undefined) {
      const problem = `There is no document ${uri} among those that this query may see (FODC0002)`;
      state.raised = refusal('not_found', problem, 'List the documents with librarian_list.');
      throw state.raised;
    }
    return document;
  };
  add('documents', [], 'node()*', () => getNodes(state.visible));
  add('neighbours', [], 'item()', () => {
    const all = getNodes(state.visible);
    return all.slice(1).map((document, at) => [all[at], document]);
  });
  add('collection', [], 'node()*', () => getNodes(state.visible));
  add('collection', ['xs:string?'], 'node()*', below);
  add('doc', ['xs:string?'], 'node()?', open);
  add('doc-available', ['xs:string?'], 'xs:boolean', (uri: string | null) => state.visible.includes(uri ?? ''));
  add('document-uri', ['node()?'], 'xs:string?', getPath);
  add('base-uri', ['node()?'], 'xs:string?', (node: never) => getPath(getRoot(node)));
  addWriting();
  fontoxpath.registerXQueryModule(helpers);
}

/** The functions that `helpers.ts` leaves to JavaScript: grouping and serialisation. */
function addWriting(): void {
  const add = (name: string, takes: readonly string[], gives: string, work: Work): void =>
    declare(name, takes, gives, work);
  add('positions', ['xs:string*'], 'item()', (marks: readonly string[]) => {
    const groups = new Map<string, number[]>();
    marks.forEach((mark, at) => {
      const group = groups.get(mark);
      if (group) group.push(at + 1);
      else groups.set(mark, [at + 1]);
    });
    return [...groups.values()];
  });
  add('quote', ['xs:string'], 'xs:string', (text: string) => JSON.stringify(text));
  add('xml', ['node()'], 'xs:string', (node: unknown) => asText(node));
  // The engine writes 1e10 as 10000000000; by the standard, the exponent is used from a million on.
  add('number', ['xs:double'], 'xs:string', (value: number) => {
    if (value === 0 || !Number.isFinite(value)) return '';
    if (Math.abs(value) >= 1e-6 && Math.abs(value) < 1e6) return '';
    const [digits = '', power = ''] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(power)}`;
  });
  // The engine stores decimals as doubles, which are exact to fifteen digits, so 0.1 + 0.2 is written 0.3.
  add('decimal', ['xs:decimal'], 'xs:string', (value: number) => {
    const rounded = Number(value.toPrecision(15));
    return Math.abs(rounded) < 1e-6 || Math.abs(rounded) >= 1e21
      ? rounded.toFixed(20).replace(/\.?0+$/, '')
      : `${rounded}`;
  });
}
