/** Helpers for trees: for the syntax tree of a query (XQueryX) and for the nodes that a query returns. */
import * as slimdom from 'slimdom';
import { type Element, fontoxpath } from './libraries.js';
import { refusal } from './refusal.js';

/** Lists the child elements. */
export function listElements(parent: slimdom.Node): Element[] {
  return parent.childNodes.filter((node): node is Element => node.nodeType === 1);
}

export function nameIs(element: Element | undefined | null, ...names: readonly string[]): boolean {
  return element !== undefined && element !== null && names.includes(element.localName);
}

/** Copies a node of another tree into the tree of `into`. */
export function copyNode(element: Element, into: Element): Element {
  return (into.ownerDocument as slimdom.Document).importNode(element, true);
}

/**
 * Returns the syntax tree with every function name resolved. The types that the engine wrote into it are removed,
 * because rewriting may change them; the engine finds them again when it runs the tree.
 */
export function parseQuery(query: string, factory: slimdom.Document): Element {
  const { evaluateXPath, parseScript } = fontoxpath;
  const module = parseScript(query, { language: evaluateXPath.XQUERY_3_1_LANGUAGE, annotateAst: true }, factory);
  const pending = [module];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    element.removeAttributeNS(module.namespaceURI, 'type');
    pending.push(...listElements(element));
  }
  straightenArrows(module);
  resolveFunctions(module);
  return module;
}

/** Turns `$a => f($b)` into `f($a, $b)`, so that later code sees all calls alike. */
function straightenArrows(module: Element): void {
  const arrows = module.getElementsByTagNameNS(module.namespaceURI, 'arrowExpr');
  // Starts with the innermost, because it may be the argument of the one around it.
  for (const arrow of arrows.reverse()) {
    const [argument, name, list, ...more] = listElements(arrow);
    if (!nameIs(name, 'EQName') || !name || !list || !argument?.firstElementChild || more.length > 0) continue;
    const call = make(module, 'functionName', name.textContent ?? '');
    for (const { nodeName, namespaceURI, value } of name.attributes) call.setAttributeNS(namespaceURI, nodeName, value);
    list.prepend(argument.firstElementChild);
    arrow.parentNode?.replaceChild(make(module, 'functionCallExpr', call, list), arrow);
  }
}

/**
 * Gives every function name its namespace, as the engine would, because the engine writes only some of them into the
 * tree.
 */
function resolveFunctions(module: Element): void {
  const functions = 'http://www.w3.org/2005/xpath-functions';
  const known = new Map([
    ['', functions],
    ['fn', functions],
    ['math', `${functions}/math`],
    ['map', `${functions}/map`],
    ['array', `${functions}/array`],
    ['xs', 'http://www.w3.org/2001/XMLSchema'],
    ['local', 'http://www.w3.org/2005/xquery-local-functions'],
    ['fontoxpath', 'http://fontoxml.com/fontoxpath'],
  ]);
  const of = (name: string): Element[] => module.getElementsByTagNameNS(module.namespaceURI, name);
  for (const declaration of of('namespaceDecl')) {
    known.set(declaration.firstElementChild?.textContent ?? '', declaration.lastElementChild?.textContent ?? '');
  }
  for (const declaration of of('defaultNamespaceDecl')) {
    if (declaration.firstElementChild?.textContent !== 'function') continue;
    known.set('', declaration.lastElementChild?.textContent ?? '');
  }
  for (const name of of('functionName')) {
    if (name.hasAttributeNS(module.namespaceURI, 'URI')) continue;
    const uri = known.get(name.getAttributeNS(module.namespaceURI, 'prefix') ?? '');
    if (uri !== undefined) name.setAttributeNS(module.namespaceURI, 'xqx:URI', uri);
  }
}

/** Creates an element of the syntax tree, in the document of `near`. */
export function make(near: Element, name: string, ...content: readonly (Element | string)[]): Element {
  const made = (near.ownerDocument as slimdom.Document).createElementNS(near.namespaceURI, `xqx:${name}`);
  made.append(...content);
  return made;
}

/** Returns the tree of a query in which each `$name` of `parts` is replaced by another tree. */
export function template(query: string, parts: Readonly<Record<string, Element>>): Element {
  const module = parseQuery(query, new slimdom.Document());
  for (const [name, part] of Object.entries(parts)) {
    for (const use of module.getElementsByTagNameNS(module.namespaceURI, 'varRef')) {
      if (use.textContent === name) use.parentNode?.replaceChild(copyNode(part, module), use);
    }
  }
  const [body] = module.getElementsByTagNameNS(module.namespaceURI, 'queryBody');
  const [expression] = body ? listElements(body) : [];
  if (!expression) throw new Error('A template without an expression');
  return expression;
}

/** A node as XML, an attribute as its value. Other items are already texts. */
export function asText(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null || !('nodeType' in item)) {
    throw refusal('invalid_input', 'The result of the query is a function, which cannot be shown');
  }
  const node = item as slimdom.Node;
  if (node.nodeType === 2) return (node as slimdom.Attr).value;
  if (node.nodeType !== 1 || node.parentNode?.nodeType !== 1) return slimdom.serializeToWellFormedString(node);
  // An element that is written without its ancestors also declares their prefixes, because its content may use them.
  const alone = node.cloneNode(true) as Element;
  const declarations = 'http://www.w3.org/2000/xmlns/';
  const seen = new Set((node as Element).attributes.map(({ name }) => name));
  for (let parent = node.parentElement; parent; parent = parent.parentElement) {
    for (const { namespaceURI, name, value } of parent.attributes) {
      if (namespaceURI !== declarations || seen.has(name)) continue;
      seen.add(name);
      if (value !== '') alone.setAttributeNS(declarations, name, value);
    }
  }
  return slimdom.serializeToWellFormedString(alone);
}
