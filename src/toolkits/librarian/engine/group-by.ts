/**
 * Rewrites `group by`, which the engine lacks, and `at $p` beside `order by`, which it gets wrong, into constructs that
 * it supports. The tuples before the clause become a sequence of maps; each group binds every variable anew, to all the
 * values it had in the group, as the standard says.
 */
import type { Element } from './libraries.js';
import { refusal } from './refusal.js';
import { copyNode, listElements, make, nameIs, template } from './tree.js';

/** `for $a at $p in E` becomes `for $p in 1 to count(E) let $a := E[$p]` where the tuples are reordered later. */
export function materialisePositions(flwor: Element): void {
  const clauses = listElements(flwor);
  if (!clauses.some((clause) => nameIs(clause, 'orderByClause', 'groupByClause'))) return;
  let count = 0;
  for (const clause of clauses) {
    if (!nameIs(clause, 'forClause')) continue;
    for (const item of listElements(clause)) {
      const position = listElements(item).find((part) => nameIs(part, 'positionalVariableBinding'));
      const binding = listElements(item).find((part) => nameIs(part, 'typedVariableBinding'));
      const source = listElements(item).find((part) => nameIs(part, 'forExpr'))?.firstElementChild;
      if (!position || !binding || !source) continue;
      count += 1;
      const name = `helve.items.${count}`;
      const variable = (local: string): Element => make(flwor, 'varRef', make(flwor, 'name', local));
      const findLet = (bound: Element, value: Element): Element =>
        make(flwor, 'letClause', make(flwor, 'letClauseItem', bound, make(flwor, 'letExpr', value)));
      const named = (local: string): Element => make(flwor, 'typedVariableBinding', make(flwor, 'varName', local));
      const positions = template('1 to count($all)', { all: variable(name) });
      const one = template('$all[$at]', { all: variable(name), at: variable(position.textContent ?? '') });
      const before = make(flwor, 'forClause');
      while (item.previousElementSibling) before.prepend(item.previousElementSibling);
      if (before.firstElementChild) flwor.insertBefore(before, clause);
      flwor.insertBefore(findLet(named(name), source), clause);
      const counter = make(
        flwor,
        'forClauseItem',
        named(position.textContent ?? ''),
        make(flwor, 'forExpr', copyNode(positions, flwor)),
      );
      flwor.insertBefore(make(flwor, 'forClause', counter), clause);
      flwor.insertBefore(findLet(binding, copyNode(one, flwor)), clause);
      item.remove();
    }
    if (!clause.firstElementChild) clause.remove();
  }
}

export function groupTuples(flwor: Element): void {
  for (let round = 1; ; round += 1) {
    const clauses = listElements(flwor);
    const place = clauses.findIndex((clause) => nameIs(clause, 'groupByClause'));
    const grouping = clauses[place];
    if (!grouping) return;
    const named = (local: string): Element => make(flwor, 'typedVariableBinding', make(flwor, 'varName', local));
    const variable = (local: string): Element => make(flwor, 'varRef', make(flwor, 'name', local));
    const createLet = (local: string, value: Element): Element =>
      make(flwor, 'letClause', make(flwor, 'letClauseItem', named(local), make(flwor, 'letExpr', value)));
    const inner = make(flwor, 'flworExpr', ...clauses.slice(0, place));
    const bound = new Set<string>();
    for (const binding of inner.children) {
      const items = listElements(binding).filter((item) => nameIs(item, 'forClauseItem', 'letClauseItem'));
      for (const name of items.flatMap(listElements)) {
        if (nameIs(name, 'typedVariableBinding')) bound.add(name.firstElementChild?.textContent ?? '');
      }
    }
    const keys = listElements(grouping).map((spec) => {
      if (!nameIs(spec, 'groupingSpec')) throw new Error('A grouping specification');
      const [name, start, ...more] = listElements(spec);
      if (more.length > 0 || nameIs(start, 'collation')) {
        throw refusal('invalid_input', 'a collation in group by is not supported by the embedded engine');
      }
      const local = name?.textContent ?? '';
      const value = start?.getElementsByTagNameNS(flwor.namespaceURI, 'varValue')[0]?.firstElementChild;
      const given = template('Q{urn:helve:librarian}key($v)', { v: value ?? variable(local) });
      inner.append(createLet(local, copyNode(given, flwor)));
      bound.add(local);
      return local;
    });
    const names = [...bound];
    const entries = names.map((name, at) => `'${name}': $v${at}`).join(', ');
    const parts = Object.fromEntries(names.map((name, at) => [`v${at}`, variable(name)]));
    const tuple = template(`map { ${entries} }`, parts);
    inner.append(make(flwor, 'returnClause', copyNode(tuple, flwor)));
    const tuples = `helve.tuples.${round}`;
    const group = `helve.group.${round}`;
    const list = keys.map((key) => `'${key}'`).join(', ');
    const groups = template(`Q{urn:helve:librarian}groups($t, (${list}))`, { t: variable(tuples) });
    const begin = [
      createLet(tuples, inner),
      make(
        flwor,
        'forClause',
        make(flwor, 'forClauseItem', named(group), make(flwor, 'forExpr', copyNode(groups, flwor))),
      ),
      ...names.map((name) => {
        const one = `Q{urn:helve:librarian}${keys.includes(name) ? 'first' : 'all'}($g, '${name}')`;
        return createLet(name, copyNode(template(one, { g: variable(group) }), flwor));
      }),
    ];
    grouping.remove();
    flwor.prepend(...begin);
  }
}
