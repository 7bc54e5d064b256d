/**
 * Parses stored text: well-formed XML, without a document type, no deeper than the limit. Runs in the engine's process.
 * One pass over the text checks the limits before anything is built from it.
 */
import * as slimdom from 'slimdom';
import { refusal } from './refusal.js';

/** Line and column of an offset, counted from 1. */
function findPlace(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/** Checks entities, depth and attributes, which cost more to build than to count. */
function checkShape(text: string, maxDepth: number): void {
  const mostAttributes = 512;
  let depth = 0;
  const ends: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>', '</': '>' };
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const opening = Object.keys(ends).find((start) => text.startsWith(start, at));
    if (opening !== undefined) {
      if (opening === '</') depth -= 1;
      const end = text.indexOf(ends[opening] ?? '>', at + opening.length);
      if (end < 0) return;
      at = end + 1;
      continue;
    }
    if (text[at + 1] === '!') {
      throw refusal(
        'invalid_input',
        `The content declares a document type or an entity at ${findPlace(text, at)}, which is not accepted`,
        'Leave out <!DOCTYPE …> and write the characters themselves instead of entities.',
      );
    }
    let attributes = 0;
    let end = at + 1;
    for (; end < text.length && text[end] !== '>'; end += 1) {
      const mark = text[end];
      if (mark !== '"' && mark !== "'") continue;
      attributes += 1;
      end = text.indexOf(mark, end + 1);
      if (end < 0) return;
    }
    if (attributes > mostAttributes) {
      const problem = `The element at ${findPlace(text, at)} has more than ${mostAttributes} attributes`;
      throw refusal('too_large', problem, 'Write them as child elements.');
    }
    if (text[end - 1] !== '/') depth += 1;
    if (depth > maxDepth) {
      const problem = `The content is nested deeper than ${maxDepth} elements at ${findPlace(text, at)}`;
      throw refusal('too_large', problem, 'Make it flatter.');
    }
    at = end;
  }
}

/** A query sees no CDATA sections: all text between two tags is one text node. */
function joinText(document: slimdom.Document): void {
  const pending: slimdom.Node[] = [document];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const child of [...node.childNodes]) {
      if (child.nodeType !== 4) pending.push(child);
      else node.replaceChild(document.createTextNode(child.nodeValue ?? ''), child);
    }
  }
  document.normalize();
}

export function parseDocument(text: string, maxDepth: number): slimdom.Document {
  checkShape(text, maxDepth);
  try {
    const document = slimdom.parseXmlDocument(text);
    joinText(document);
    return document;
  } catch (error) {
    const [what = '', where = ''] = String(error instanceof Error ? error.message : error).split('\nAt ');
    const [, line, column] = /^line (\d+), character (\d+)/.exec(where) ?? [];
    const place = line === undefined ? '' : ` at line ${line}, column ${column}`;
    const reason = what.replace(/^Parsing document failed, /, '').slice(0, 300);
    throw refusal(
      'invalid_input',
      `The content is not well-formed XML${place}: ${reason}`,
      'One root element, every tag closed, & and < written as &amp; and &lt;.',
    );
  }
}
