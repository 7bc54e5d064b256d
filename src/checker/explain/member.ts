/** A member that is not there: of `env`, of a namespace, of an answer. */
import { orDidYouMean } from '../../util/nearest.js';
import type { Node, Problem } from '../engine.js';
import { brief } from '../meanings.js';
import type { Look } from '../rules/look.js';
import { memberNames, nearestName, rightName } from './words.js';

export function explainMember(look: Look, node: Node, { causes }: Problem): string | undefined {
  const { tree, meanings, typeOf, inspection } = look;
  const { parent } = node;
  const name = /(?:Property|member(?: named)?) '([^']+)'/.exec(causes.join(' '))?.[1] ?? node.text;
  if (name === undefined) return undefined;
  const owner = findOwner(look, node);
  if (!owner) return undefined;
  const meaning = meanings.of(owner);
  if (meaning?.is === 'namespace') {
    const tools = Object.keys(meanings.namespaces.get(meaning.namespace)?.tools ?? {});
    return `${meaning.namespace} has no tool ${name}${rightName(name, tools)}`;
  }
  if (meaning?.is === 'env' || meaning?.is === 'global')
    return explainSeveral(look, name) ?? `There is no namespace ${name}${orDidYouMean(nearestName(name, look.known))}`;
  const type = tree.is(parent, 'BindingElement') ? typeOf(parent.parent) : typeOf(owner);
  const text = type ? inspection.types.typeToString(type) : '';
  const shown = brief(tree, owner);
  if (text.startsWith('Promise<')) return `${shown} is a Promise: write (await ${shown}).${name}`;
  if (/^(?:unknown|\{\})$/.test(text)) return explainMembers(shown, text);
  if (inspection.types.isArrayType(type ?? { id: -1, flags: 0 }))
    return `${shown} is a list: read ${name} of its items`;
  return `${shown} has no member ${name}${rightName(name, memberNames(look, type))}`;
}

/** A value whose type has no members. */
function explainMembers(shown: string, type: string): string {
  const advice = type === '{}' ? '; give it a type, such as Record<string, number>' : '';
  return `${shown} is ${type}: its members are not declared${advice}`;
}

/** For the name of a toolkit of which the caller has several accounts. */
export function explainSeveral({ ambiguous }: Look, name: string): string | undefined {
  if (!Object.hasOwn(ambiguous, name)) return undefined;
  return `There are several accounts of ${name}: use one of ${ambiguous[name]?.join(', ')}`;
}

function findOwner({ tree }: Look, node: Node): Node | undefined {
  if (tree.is(node, 'ElementAccessExpression')) return node.expression;
  const { parent } = node;
  if (tree.is(parent, 'PropertyAccessExpression', 'ElementAccessExpression')) return parent.expression;
  if (tree.is(parent, 'QualifiedName')) return parent.left;
  if (!tree.is(parent, 'BindingElement')) return undefined;
  const holder = parent.parent.parent;
  return holder.initializer ?? holder.name;
}
