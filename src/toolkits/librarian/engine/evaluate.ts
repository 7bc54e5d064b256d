/**
 * Evaluates a query, from its text to the texts of its items. Runs in the engine's process, on the documents that it
 * holds.
 */
import * as slimdom from 'slimdom';
import { groupTuples, materialisePositions } from './group-by.js';
import { type Element, fontoxpath } from './libraries.js';
import type { QueryAnswer, QueryRequest, Variable } from './messages.js';
import { refusal } from './refusal.js';
import { explainProblem, refuseUnsupported } from './refuse.js';
import { rewriteFunctions, rewritePaths, splitOrder } from './rewrite.js';
import { state } from './state.js';
import { asText, copyNode, listElements, make, nameIs, parseQuery, template } from './tree.js';

/** The caller's values become variables of the query, never part of its text. */
function bindVariables(variables: QueryRequest['variables']): Record<string, unknown> {
  const { createTypedValueFactory, domFacade } = fontoxpath;
  const flat = (value: Variable): readonly (string | number | boolean)[] =>
    value === null ? [] : Array.isArray(value) ? value.flatMap(flat) : [value as string | number | boolean];
  const getType = (value: string | number | boolean): string =>
    typeof value === 'string' ? 'xs:string' : typeof value === 'boolean' ? 'xs:boolean' : numberType(value);
  const numberType = (value: number): string => (Number.isSafeInteger(value) ? 'xs:integer' : 'xs:double');
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const items = flat(value);
      const types = new Set(items.map(getType));
      const [first, ...others] = types;
      const mixedNumbers = others.length === 1 && types.has('xs:integer') && types.has('xs:double');
      if (others.length > 0 && !mixedNumbers) {
        const problem = `The variable ${name} mixes ${[...types].join(' and ')}`;
        throw refusal('invalid_input', problem, 'Give an array of strings, of numbers or of booleans.');
      }
      const type = mixedNumbers ? 'xs:double' : (first ?? 'xs:string');
      return [name, createTypedValueFactory(`${type}*`)(items, domFacade)];
    }),
  );
}

/** A value for `declare variable $day as xs:date external` is converted to a date, although it came as a string. */
function convertVariables(module: Element, variables: QueryRequest['variables']): QueryRequest['variables'] {
  const bound: Record<string, Variable> = { ...variables };
  for (const declaration of module.getElementsByTagNameNS(module.namespaceURI, 'varDecl')) {
    const parts = listElements(declaration);
    const name = parts.find((part) => nameIs(part, 'varName'))?.textContent ?? '';
    const external = parts.find((part) => nameIs(part, 'external'));
    const type = parts.find((part) => nameIs(part, 'typeDeclaration'))?.firstElementChild;
    const value = bound[name];
    if (!external || value === undefined || !type || !nameIs(type, 'atomicType')) continue;
    const local = type.textContent ?? '';
    if (type.getAttributeNS(module.namespaceURI, 'prefix') !== 'xs' || !/^[a-zA-Z]+$/.test(local)) continue;
    if (/^any|^numeric$/.test(local)) continue;
    const given = make(module, 'varRef', make(module, 'name', `helve.given.${name}`));
    const read = copyNode(template(`for $one in $given return xs:${local}($one)`, { given }), module);
    declaration.replaceChild(make(module, 'varValue', read), external);
    delete bound[name];
    bound[`helve.given.${name}`] = value;
  }
  return bound;
}

export function runQuery(request: QueryRequest): QueryAnswer {
  const { evaluateXPath } = fontoxpath;
  const language = evaluateXPath.XQUERY_3_1_LANGUAGE;
  state.visible = request.paths;
  state.raised = undefined;
  const factory = new slimdom.Document();
  try {
    const module = parseQuery(request.query, factory);
    refuseUnsupported(module);
    rewriteFunctions(module);
    splitOrder(module);
    const variables = convertVariables(module, request.variables);
    for (const flwor of module.getElementsByTagNameNS(module.namespaceURI, 'flworExpr')) {
      materialisePositions(flwor);
      groupTuples(flwor);
    }
    rewritePaths(module, true);
    const [body] = module.getElementsByTagNameNS(module.namespaceURI, 'queryBody');
    const [given] = body ? listElements(body) : [];
    if (!body || !given)
      throw refusal('invalid_input', 'The query is only a library module: it contains no expression to evaluate');
    // Fixes the order of the documents first, because the engine orders trees by when it first compares them.
    const whole = template(
      `if (every $two in Q{urn:helve:librarian}neighbours()?* satisfies $two(1) << $two(2))
       then for $item in $given
         return if ($item instance of node()) then $item else Q{urn:helve:librarian}text($item)
       else ()`,
      { given },
    );
    const placed = copyNode(whole, module);
    for (const child of listElements(body)) child.remove();
    body.append(placed);
    const items = evaluateXPath(module, null, null, bindVariables(variables), evaluateXPath.ALL_RESULTS_TYPE, {
      language,
      nodesFactory: factory,
      disableCache: true,
      xmlSerializer: new slimdom.XMLSerializer(),
      moduleImports: { helve: 'urn:helve:librarian' },
    });
    const results: string[] = [];
    let chars = 0;
    for (const item of items.slice(0, request.mostItems)) {
      const text = asText(item);
      chars += text.length;
      if (chars > request.mostChars && results.length > 0) break;
      results.push(text);
    }
    return { results, dropped: items.length - results.length };
  } catch (error) {
    throw explainProblem(error, request.query);
  }
}
