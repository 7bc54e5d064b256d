/** Refuses by name what the engine does not support, before the query runs or when the engine fails on it. */
import { HelveError } from '../../../domain/errors.js';
import type { Element } from './libraries.js';
import { refusal } from './refusal.js';
import { state } from './state.js';
import { listElements, nameIs } from './tree.js';

const constructs: ReadonlyMap<string, string> = new Map([
  ['validateExpr', 'validate'],
  ['stringConstructor', 'the string constructor ``[…]``'],
  ['computedDocumentConstructor', 'the document { … } constructor'],
  ['allowingEmpty', 'allowing empty'],
  ['schemaImport', 'import schema'],
  ['moduleImport', 'import module'],
  ['extensionExpr', 'an extension expression (# … #)'],
  ['optionDecl', 'declare option'],
  ['contextItemDecl', 'declare context item'],
  ['decimalFormatDecl', 'declare decimal-format'],
  ['defaultCollationDecl', 'declare default collation'],
  ['collation', 'a collation'],
  ['treatExpr', 'treat as'],
]);
const reaching =
  /^(unparsed-text(-lines|-available)?|environment-variable|available-environment-variables|json-doc|uri-collection|put|trace|function-lookup|transform|load-xquery-module|format-integer|parse-xml(-fragment)?)$/;
const fine =
  /^(http:\/\/www\.w3\.org\/2005\/xpath-functions(\/(math|map|array))?|http:\/\/www\.w3\.org\/2001\/XMLSchema|http:\/\/www\.w3\.org\/2005\/xquery-local-functions)$/;

/**
 * Throws for every construct that the engine lacks or that would reach beyond the documents. `elsewhere`: the query
 * will run on eXist.
 */
export function refuseUnsupported(module: Element, elsewhere = false): void {
  const lacking = elsewhere ? 'is not accepted' : 'is not supported by the embedded engine';
  const refuse = (what: string, why = lacking): never => {
    throw refusal('invalid_input', `${what} ${why}`, 'See docs/reference/xquery.md for what a query may use.');
  };
  const declared = declaredFunctions(module);
  const pending = [module];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    const construct = constructs.get(element.localName);
    if (construct !== undefined) refuse(construct);
    if (element.namespaceURI !== module.namespaceURI) {
      refuse('an updating expression', 'is not accepted: a query only reads');
    }
    if (nameIs(element, 'integerConstantExpr') && !Number.isSafeInteger(Number(element.textContent))) {
      refuse(`The integer ${element.textContent}`, 'is too large for the embedded engine');
    }
    if (nameIs(element, 'functionName')) {
      const called = getFunction(element);
      const { prefix, name } = called;
      const isKnown = declared.has(`${prefix}:${name}`) || isProvided(called, elsewhere);
      if (isReaching(called) || !isKnown) refuse(`The function ${prefix ? `${prefix}:${name}` : name}`);
    }
    pending.push(...listElements(element));
  }
}

interface CalledFunction {
  readonly prefix: string | null;
  readonly uri: string | null;
  readonly name: string;
}

function getFunction(name: Element): CalledFunction {
  const of = (attribute: string) => name.getAttributeNS(name.namespaceURI, attribute);
  return { prefix: of('prefix'), uri: of('URI'), name: name.textContent ?? '' };
}

/** The functions that the query itself declares, with their prefixes. */
function declaredFunctions(module: Element): ReadonlySet<string> {
  const names = module.getElementsByTagNameNS(module.namespaceURI, 'functionName');
  const own = names.filter((name) => nameIs(name.parentNode as Element, 'functionDecl')).map(getFunction);
  return new Set(own.map(({ prefix, name }) => `${prefix}:${name}`));
}

const isReaching = ({ uri, name }: CalledFunction): boolean =>
  uri === 'http://www.w3.org/2005/xpath-functions' && reaching.test(name);

function isProvided({ prefix, uri }: CalledFunction, elsewhere: boolean): boolean {
  if (elsewhere && (prefix === 'ft' || uri === 'http://exist-db.org/xquery/lucene')) return true;
  return uri === null ? !elsewhere && !prefix : fine.test(uri);
}

/** The query with its strings and comments replaced by blanks, at the same length. */
function withoutLiterals(query: string): string {
  return query.replace(/"[^"]*"|'[^']*'|\(:[\s\S]*?:\)/g, (literal) => ' '.repeat(literal.length));
}

/** Guesses which unsupported construct made the query fail to parse. */
function guessFeature(query: string): string | undefined {
  const text = withoutLiterals(query);
  const features: readonly (readonly [RegExp, string])[] = [
    [/\btry\s*\{/, 'try/catch'],
    [/\b(tumbling|sliding)\s+window\b/, 'a window clause'],
    [/\bcontains\s+text\b/, 'full text (contains text); use librarian_search'],
    [/\bcount\s+\$/, 'the count clause'],
    [/\(#/, 'an extension expression (# … #)'],
    [/\ballowing\s+empty\b/, 'allowing empty'],
    [/\btreat\s+as\b/, 'treat as'],
    [/\bschema-(element|attribute)\s*\(/, 'a schema test'],
    [/\bupdate\s+(insert|delete|replace|value|rename)\b/, 'an updating expression'],
    [/``\[/, 'the string constructor ``[…]``'],
  ];
  return features.find(([pattern]) => pattern.test(text))?.[1];
}

/** Rewords the engine's error so that it names the place and what to do. */
export function explainProblem(error: unknown, query: string): Error {
  if (error instanceof HelveError) return error;
  if (state.raised !== undefined) return state.raised;
  const message = error instanceof Error ? error.message : String(error);
  const hint = 'See docs/reference/xquery.md for what a query may use.';
  if (error instanceof RangeError) {
    const problem = /call stack/.test(message) ? 'The query recurses too deep' : 'The query makes a value too large';
    return refusal('too_large', problem, 'Ask for something simpler.');
  }
  const [, name, arity] = /Function (?:Q\{[^}]*\})?(\S+) with arity of (\d+) not registered/.exec(message) ?? [];
  if (name !== undefined) {
    const problem = `The function ${name} with ${arity} arguments is not supported by the embedded engine`;
    return refusal('invalid_input', problem, hint);
  }
  const code = /\b(X[A-Z]{3}\d{4}|F[A-Z]{3}\d{4})\b/.exec(message)?.[1];
  const place = /at <[^>]*>:(\d+):(\d+)/.exec(message);
  const feature = code === 'XPST0003' ? guessFeature(query) : undefined;
  if (feature !== undefined) {
    return refusal('invalid_input', `${feature} is not supported by the embedded engine`, hint);
  }
  if (code === 'XPST0003') {
    const where = place ? ` at line ${place[1]}, column ${place[2]}` : '';
    return refusal('invalid_input', `The query is not valid XQuery: syntax error${where}`, hint);
  }
  if (code === 'XPDY0002') {
    const problem = 'The query uses a context item where there is none (XPDY0002)';
    return refusal('invalid_input', problem, 'Begin a path with / or //, or with collection().');
  }
  const text = message.replace(/^(Error: )?/, '').split('\n  at ')[0] ?? message;
  return refusal('invalid_input', `The query failed: ${text.slice(0, 400)}`, hint);
}
