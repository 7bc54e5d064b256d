/**
 * Rewrites a query so that it works on many documents. In XQuery, a path that begins with `/` begins at one document;
 * here it begins at every document that the query may see, in the order of their paths. Inside a predicate or a later
 * step `/` keeps its own meaning: the root of the node at hand.
 */
import type { Element } from './libraries.js';
import { refusal } from './refusal.js';
import { copyNode, listElements, make, nameIs, template } from './tree.js';

/** `position()` and `last()` outside predicates count over the whole step, so their path cannot be taken apart. */
function onlyRelativePositions(steps: readonly Element[]): boolean {
  const counts = (element: Element): boolean => {
    if (nameIs(element, 'predicates')) return false;
    if (nameIs(element, 'functionName')) return /^(position|last)$/.test(element.textContent ?? '');
    return listElements(element).some(counts);
  };
  return !steps.some(counts);
}

export function rewritePaths(element: Element, outermost: boolean): void {
  if (nameIs(element, 'functionBody')) {
    for (const child of listElements(element)) rewritePaths(child, true);
    return;
  }
  const inPath = nameIs(element, 'pathExpr', 'simpleMapExpr');
  listElements(element).forEach((child, place) => {
    // Steps after the first one, and every predicate, have a context node.
    const begins = outermost && !nameIs(child, 'predicates') && !(inPath && place > 0);
    rewritePaths(child, begins);
  });
  if (!nameIs(element, 'pathExpr')) return;
  shortenSteps(element);
  const [first, ...rest] = listElements(element);
  if (!first) return;
  const isRoot = nameIs(first, 'rootExpr') && outermost;
  const all = isRoot ? template('Q{urn:helve:librarian}documents()', {}) : collectionCall(first);
  if (!all) return;
  const begin = (node: Element): Element => make(element, 'stepExpr', make(element, 'filterExpr', node));
  // Evaluates it for each document in turn: this gives the same nodes in the same order, without comparing nodes of
  // different documents.
  const apart = rest.length > 0 && onlyRelativePositions(rest);
  const start = begin(copyNode(all, element));
  const path = apart
    ? make(
        element,
        'simpleMapExpr',
        make(element, 'pathExpr', start),
        make(element, 'pathExpr', begin(make(element, 'contextItemExpr')), ...rest),
      )
    : make(element, 'pathExpr', start, ...rest);
  element.parentNode?.replaceChild(path, element);
}

/** The call of `collection` or `documents` that this step consists of. */
function collectionCall(step: Element): Element | undefined {
  const call = step.getElementsByTagNameNS(step.namespaceURI, 'functionCallExpr')[0];
  const called = call?.firstElementChild;
  const isAlone = nameIs(step, 'stepExpr') && listElements(step).length === 1 && call?.parentNode?.parentNode === step;
  if (!isAlone || !/^(collection|documents)$/.test(called?.textContent ?? '')) return undefined;
  return called?.getAttributeNS(step.namespaceURI, 'URI') === 'urn:helve:librarian' ? call : undefined;
}

/** `//a[@b]` as one step down instead of two, where no predicate counts positions. */
function shortenSteps(path: Element): void {
  const steps = listElements(path);
  steps.forEach((step, place) => {
    const next = steps[place + 1];
    const [axis, test, more] = listElements(step);
    const isAny = axis?.textContent === 'descendant-or-self' && nameIs(test, 'anyKindTest') && !more;
    if (!isAny || !next || !isOneStep(next)) return;
    const [childAxis] = listElements(next);
    if (childAxis) childAxis.textContent = 'descendant';
    path.removeChild(step);
  });
}

/** A child step whose predicates do not depend on the position of the node among its siblings. */
function isOneStep(step: Element): boolean {
  const [axis, _test, ...more] = listElements(step);
  if (!nameIs(axis, 'xpathAxis') || axis?.textContent !== 'child') return false;
  const truths =
    /^(equalOp|notEqualOp|lessThanOp|lessThanOrEqualOp|greaterThanOp|greaterThanOrEqualOp|eqOp|neOp|ltOp|leOp|gtOp|geOp|andOp|orOp)$/;
  const isTruth = (predicate: Element): boolean => {
    const counted = predicate.getElementsByTagNameNS(predicate.namespaceURI, 'functionName');
    if (counted.some((name) => /^(position|last)$/.test(name.textContent ?? ''))) return false;
    if (truths.test(predicate.localName)) return true;
    const last = listElements(predicate).at(-1);
    return nameIs(predicate, 'pathExpr') && nameIs(last?.firstElementChild, 'xpathAxis');
  };
  return more.every((part) => nameIs(part, 'predicates') && listElements(part).every(isTruth));
}

/** Functions that reach documents, and some that the engine lacks, are replaced by ours. */
export function rewriteFunctions(module: Element): void {
  const { namespaceURI } = module;
  const ours = new Set(
    'doc/1 doc-available/1 collection/0 collection/1 base-uri/0 base-uri/1 document-uri/0 document-uri/1 sort/1 sort/3 for-each-pair/3 contains-token/2'.split(
      ' ',
    ),
  );
  for (const name of module.getElementsByTagNameNS(namespaceURI, 'functionName')) {
    const local = name.textContent ?? '';
    const next = name.nextElementSibling;
    const isCall = nameIs(name.parentNode as Element, 'functionCallExpr');
    const arity = isCall ? listElements(next ?? name).length : Number(next?.textContent ?? 0);
    if (name.getAttributeNS(namespaceURI, 'URI') !== 'http://www.w3.org/2005/xpath-functions') continue;
    if (!ours.has(`${local}/${arity}`)) continue;
    name.setAttributeNS(namespaceURI, 'xqx:URI', 'urn:helve:librarian');
    name.removeAttributeNS(namespaceURI, 'prefix');
    if (/-uri$/.test(local) && isCall && arity === 0) next?.append(make(module, 'contextItemExpr'));
  }
}

/**
 * The engine orders by one key, so the last key is applied first. Equal items keep their order under `ascending` and
 * are reversed under `descending`; so each key's direction is reversed as often as the keys before it will reverse it.
 */
export function splitOrder(module: Element): void {
  for (const clause of module.getElementsByTagNameNS(module.namespaceURI, 'orderByClause')) {
    const keys = listElements(clause).filter((part) => nameIs(part, 'orderBySpec'));
    let turned = false;
    for (const key of keys) {
      const modifier = listElements(key).find((part) => nameIs(part, 'orderModifier')) ?? make(module, 'orderModifier');
      key.append(modifier);
      const kind = listElements(modifier).find((part) => nameIs(part, 'orderingKind'));
      const descending: boolean = (kind?.textContent === 'descending') !== turned;
      if (!kind) modifier.prepend(make(module, 'orderingKind', descending ? 'descending' : 'ascending'));
      else kind.textContent = descending ? 'descending' : 'ascending';
      turned = turned !== descending;
    }
    if (turned && listElements(clause).some((part) => nameIs(part, 'stable'))) {
      const problem = 'stable order by … descending is not supported by the embedded engine';
      throw refusal('invalid_input', problem, 'Add a last key that settles the order.');
    }
    for (const key of keys.slice(1).reverse()) {
      clause.parentNode?.insertBefore(make(module, 'orderByClause', key), clause);
    }
  }
}
