/** For a server that is not ours: what a query names, and what came back. Runs in the engine's process. */
import type { Element, Kit } from './kit.js';
import type { NamedPlace, Unwrapped } from './messages.js';

/** Throws `invalid_input` for what the server is not to be asked; gives the documents and collections named. */
export function reviewQuery(kit: Kit, query: string): readonly NamedPlace[] {
  try {
    const module = kit.parseQuery(kit, query, new kit.slimdom.Document());
    kit.refuseUnsupported(kit, module, true);
    const places: NamedPlace[] = [];
    for (const name of module.getElementsByTagNameNS(module.namespaceURI, 'functionName')) {
      const local = name.textContent ?? '';
      if (name.getAttributeNS(module.namespaceURI, 'URI') !== 'http://www.w3.org/2005/xpath-functions') continue;
      if (!/^(doc|doc-available|collection)$/.test(local)) continue;
      const given = kit.elementsOf(name.nextElementSibling ?? name);
      const isCall = kit.nameIs(name.parentNode as Element, 'functionCallExpr');
      if (isCall && local === 'collection' && given.length === 0) continue;
      const [argument] = given;
      if (!isCall || given.length !== 1 || !argument || !kit.nameIs(argument, 'stringConstantExpr')) {
        const problem = `${local}() is accepted only with a path written in the query, like ${local}("/db/agents")`;
        throw kit.refusal('invalid_input', problem, 'Or leave it out and set collection.');
      }
      places.push({ kind: local === 'collection' ? 'collection' : 'doc', path: argument.textContent ?? '' });
    }
    return places;
  } catch (error) {
    throw kit.explainProblem(kit, error, query);
  }
}

/** The items of an `exist:result`. */
export function unwrapAnswer(kit: Kit, answer: string): Unwrapped {
  const exist = 'http://exist.sourceforge.net/NS/exist';
  const read = (): Element | null => {
    try {
      return kit.parseDocument(kit, answer, 2_000).documentElement;
    } catch {
      return null;
    }
  };
  const result = read();
  if (result?.namespaceURI !== exist || result.localName !== 'result') {
    throw kit.refusal('upstream_failed', 'eXist did not answer with a result');
  }
  const items: string[] = [];
  for (const item of result.childNodes) {
    if (item.nodeType === 3 && (item.nodeValue ?? '').trim() === '') continue;
    const element = item as Element;
    const isValue = item.nodeType === 1 && element.namespaceURI === exist && element.localName === 'value';
    // By itself: not with the names of the envelope around it.
    const alone = (isValue && element.firstElementChild ? element.firstElementChild : item).cloneNode(true);
    if (!isValue || element.firstElementChild) items.push(kit.asText(kit, alone));
    else items.push(element.textContent ?? '');
  }
  return { items, hits: Number(result.getAttributeNS(exist, 'hits')) || items.length };
}
