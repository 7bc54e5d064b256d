/** For an external server: checks what a query names, and reads the answer. Runs in the engine's process. */
import * as slimdom from 'slimdom';
import type { Element } from './libraries.js';
import type { NamedPlace, Unwrapped } from './messages.js';
import { parseDocument } from './parse-xml.js';
import { refusal } from './refusal.js';
import { explainProblem, refuseUnsupported } from './refuse.js';
import { asText, listElements, nameIs, parseQuery } from './tree.js';

/**
 * Throws `invalid_input` for a query that the server must not run. Returns the documents and collections that it names.
 */
export function reviewQuery(query: string): readonly NamedPlace[] {
  try {
    const module = parseQuery(query, new slimdom.Document());
    refuseUnsupported(module, true);
    return module.getElementsByTagNameNS(module.namespaceURI, 'functionName').flatMap((name) => findPlace(name) ?? []);
  } catch (error) {
    throw explainProblem(error, query);
  }
}

/** The place that a call names; undefined for any other function, and for a call that uses the default collection. */
function findPlace(name: Element): NamedPlace | undefined {
  const local = name.textContent ?? '';
  if (name.getAttributeNS(name.namespaceURI, 'URI') !== 'http://www.w3.org/2005/xpath-functions') return undefined;
  if (!/^(doc|doc-available|collection)$/.test(local)) return undefined;
  const given = listElements(name.nextElementSibling ?? name);
  const isCall = nameIs(name.parentNode as Element, 'functionCallExpr');
  if (isCall && local === 'collection' && given.length === 0) return undefined;
  const [argument] = given;
  if (isCall && given.length === 1 && argument && nameIs(argument, 'stringConstantExpr'))
    return { kind: local === 'collection' ? 'collection' : 'doc', path: argument.textContent ?? '' };
  const problem = `${local}() is accepted only with a path written in the query, like ${local}("/db/agents")`;
  throw refusal('invalid_input', problem, 'Or leave it out and set collection.');
}

/** The items of an `exist:result`. */
export function unwrapAnswer(answer: string): Unwrapped {
  const exist = 'http://exist.sourceforge.net/NS/exist';
  const read = (): Element | null => {
    try {
      return parseDocument(answer, 2_000).documentElement;
    } catch {
      return null;
    }
  };
  const result = read();
  if (result?.namespaceURI !== exist || result.localName !== 'result') {
    throw refusal('upstream_failed', 'eXist did not answer with a result');
  }
  const items: string[] = [];
  for (const item of result.childNodes) {
    if (item.nodeType === 3 && (item.nodeValue ?? '').trim() === '') continue;
    const element = item as Element;
    const isValue = item.nodeType === 1 && element.namespaceURI === exist && element.localName === 'value';
    // Written by itself, without the namespaces of the envelope around it.
    const alone = (isValue && element.firstElementChild ? element.firstElementChild : item).cloneNode(true);
    if (!isValue || element.firstElementChild) items.push(asText(alone));
    else items.push(element.textContent ?? '');
  }
  return { items, hits: Number(result.getAttributeNS(exist, 'hits')) || items.length };
}
