/** Removes from a document what a reader does not see, before anything else reads it. */
import { isSeen, type Look, lookOf, pageLook, readStyleRules } from './hidden-text.js';

/** A node of linkedom. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  remove(): void;
}

interface DomDocument extends DomNode {
  querySelectorAll(selector: string): Iterable<DomNode>;
}

/** Programs and styles have no look. */
const unread = /^(?:head|script|style|template|noscript|title)$/;
const ownContent = /^(?:img|input|math|svg)$/;

/** Returns whether anything was removed that has text. Does not go into elements without a look, such as `head`. */
export function dropHidden(document: DomDocument): boolean {
  const rules = readStyleRules([...document.querySelectorAll('style')].map((one) => one.textContent ?? '').join('\n'));
  const pending: { readonly node: DomNode; readonly look: Look }[] = [{ node: document, look: pageLook }];
  let hasRemoved = false;
  const remove = (node: DomNode): void => {
    hasRemoved ||= (node.textContent ?? '').trim() !== '';
    node.remove();
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const node of [...next.node.childNodes]) {
      if (node.nodeType === 3 && !isSeen(next.look)) remove(node);
      const name = node.nodeName.toLowerCase();
      if (node.nodeType !== 1 || unread.test(name)) continue;
      const look = lookOf(next.look, { name, attribute: (one) => node.getAttribute(one) ?? undefined }, rules);
      if (look.isRemoved || (ownContent.test(name) && !isSeen(look))) remove(node);
      else pending.push({ node, look });
    }
  }
  return hasRemoved;
}
