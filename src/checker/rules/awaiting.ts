/** A call that nobody waits for is lost when the program ends, and its error with it. */
import type { Node, Type } from '../engine.js';
import { bare, brief, functionAround } from '../meanings.js';
import { isFunction } from '../tree.js';
import { type Finding, find, type Look } from './look.js';

/** Methods that hand on what their callback answers. */
const waitingMethods = /^(?:map|flatMap|then|catch|finally|reduce|reduceRight)$/;
/** Methods that take what their callback answers for true or false. */
const testingMethods = /^(?:filter|some|every|find|findIndex|findLast|findLastIndex)$/;

const together = 'await Promise.all(…)';
type Waiting = 'promise' | 'promises' | undefined;

export function findUnawaited(look: Look): readonly Finding[] {
  const { tree, inspection, meanings, typeOf } = look;
  const { types, kindOf, flags } = inspection;
  const known = new Map<number, Waiting>();
  const findings: Finding[] = [];
  const answering = answeringFunctions(look);
  for (const node of tree.nodes) visit(node);
  for (const { node, name } of tree.declarations) {
    if (!tree.is(node, 'VariableDeclaration') || !node.initializer) continue;
    if (isPrimitive(node.initializer)) continue;
    const declaration = tree.declarationOf(name);
    if (declaration && tree.readsOf(declaration).every(isIdle) && waitingOf(node.initializer)) report(node.initializer);
  }
  return findings;

  function visit(node: Node): void {
    switch (kindOf(node)) {
      case 'ExpressionStatement':
        for (const leaf of leaves(node.expression)) checkStatement(leaf);
        break;
      case 'AwaitExpression':
        checkAwait(node);
        break;
      case 'BinaryExpression':
        checkSum(node);
        break;
      case 'TemplateSpan':
      case 'SpreadAssignment':
        checkText(node.expression);
        break;
      case 'CallExpression':
        checkArguments(node);
        break;
      case 'ReturnStatement':
      case 'ArrowFunction':
        checkReturn(node);
    }
  }

  function checkSum({ operatorToken, left, right }: Node): void {
    if (!tree.is(operatorToken, 'PlusToken')) return;
    checkText(left);
    checkText(right);
  }

  function checkReturn(node: Node): void {
    if (tree.is(node, 'ReturnStatement')) {
      if (node.expression && isOfProgram(node)) checkAnswer(node.expression);
    } else if (node.body && answering.has(node) && !tree.is(node.body, 'Block')) checkAnswer(node.body);
  }

  function waitingOf(node: Node): Waiting {
    const type = typeOf(node);
    if (!type || type.flags & (flags.any | flags.unknown | flags.void)) return undefined;
    if (known.has(type.id)) return known.get(type.id);
    const waiting = waitingType(type);
    known.set(type.id, waiting);
    return waiting;
  }

  function waitingType(type: Type): Waiting {
    const certain = types.getNonNullableType(type) ?? type;
    if (types.getPropertyOfType(certain, 'then') && types.getPropertyOfType(certain, 'catch')) return 'promise';
    if (!types.isArrayType(certain)) return undefined;
    const [member] = types.getTypeArguments(certain);
    return member &&
      !(member.flags & flags.any) &&
      types.getPropertyOfType(member, 'then') &&
      types.getPropertyOfType(member, 'catch')
      ? 'promises'
      : undefined;
  }

  function report(node: Node, extra = ''): void {
    const shown = brief(tree, node);
    const advice = waitingOf(node) === 'promises' ? `write ${together}` : `write await ${shown}`;
    findings.push(find(node, `${shown} is not awaited${extra}: ${advice}`, meanings.toolAround(node)));
  }

  /** The expressions whose value a statement drops. */
  function leaves(expression: Node | undefined): readonly Node[] {
    if (!expression) return [];
    const node = bare(tree, expression);
    if (tree.is(node, 'VoidExpression')) return leaves(node.expression);
    if (tree.is(node, 'ConditionalExpression')) return [...leaves(node.whenTrue), ...leaves(node.whenFalse)];
    if (!tree.is(node, 'BinaryExpression')) return [node];
    if (tree.is(node.operatorToken, 'CommaToken')) return [...leaves(node.left), ...leaves(node.right)];
    const isChoice = tree.is(node.operatorToken, 'AmpersandAmpersandToken', 'BarBarToken', 'QuestionQuestionToken');
    return isChoice ? leaves(node.right) : [];
  }

  function checkStatement(node: Node): void {
    if (tree.is(node, 'AwaitExpression') || isPrimitive(node)) return;
    // Collected in an array: its length is the value.
    if (waitingOf(node)) report(node);
  }

  /** Whether nothing waits for the Promise through this use of it. */
  function isIdle(read: Node): boolean {
    const { parent } = read;
    if (tree.is(parent, 'TypeOfExpression', 'TemplateSpan', 'ExpressionStatement')) return true;
    if (tree.is(parent, 'PropertyAccessExpression')) return !/^(?:then|catch|finally)$/.test(parent.name?.text ?? '');
    if (tree.is(parent, 'BinaryExpression'))
      return tree.is(
        parent.operatorToken,
        'InstanceOfKeyword',
        'EqualsEqualsEqualsToken',
        'ExclamationEqualsEqualsToken',
      );
    if (!tree.is(parent, 'CallExpression') || parent.expression === read) return false;
    const expected = types.getContextualType(read);
    return expected !== undefined && (expected.flags & (flags.any | flags.unknown)) !== 0;
  }

  function checkAwait({ expression }: Node): void {
    if (!expression || meansOnePromise(bare(tree, expression))) return;
    if (waitingOf(expression) === 'promises') report(expression, ' (await does not look into an array)');
  }

  /** Asking the compiler for a type costs more than all that can be seen without. */
  function meansOnePromise(node: Node): boolean {
    if (!tree.is(node, 'CallExpression') || !node.expression) return false;
    return meanings.of(node.expression)?.is === 'tool' || /^Promise\.\w+$/.test(tree.show(node.expression));
  }

  function checkText(node: Node | undefined): void {
    if (!node) return;
    const inside = bare(tree, node);
    if (!tree.is(inside, 'Identifier', 'CallExpression')) return;
    const declared = tree.is(inside, 'Identifier') ? tree.declarationOf(inside)?.node.initializer : undefined;
    if (declared && isPrimitive(bare(tree, declared))) return;
    if (waitingOf(node)) report(node);
  }

  function isPrimitive(node: Node): boolean {
    return tree.is(
      node,
      'StringLiteral',
      'NumericLiteral',
      'NoSubstitutionTemplateLiteral',
      'TemplateExpression',
      'AwaitExpression',
    );
  }

  function checkArguments(call: Node): void {
    const callee = call.expression;
    const isPrinted = callee !== undefined && /^(?:console\.\w+|JSON\.stringify|String)$/.test(tree.show(callee));
    const method = tree.is(callee, 'PropertyAccessExpression') ? callee.name?.text : undefined;
    for (const argument of call.arguments ?? []) {
      if (isFunction(kindOf(argument))) checkCallback(argument, method ?? callee?.text);
      else if (isPrinted) checkText(argument);
    }
  }

  /** `each(async …)` where nothing waits for what the callback promises. */
  function checkCallback(callback: Node, method: string | undefined): void {
    if (method !== undefined && waitingMethods.test(method)) return;
    if (!mayPromise(callback)) return;
    const answer = answerOf(typeOf(callback));
    if (!answer || !types.getPropertyOfType(answer, 'then')) return;
    const expected = answerOf(types.getContextualType(callback));
    const isTested = method !== undefined && testingMethods.test(method);
    if (!isTested && !(expected && expected.flags & flags.void)) return;
    const name = method ?? 'the function';
    findings.push(
      find(
        callback,
        isTested
          ? `${name} does not wait for an async callback, and treats its Promise as true: collect the answers with ${together} first`
          : `${name} does not wait for an async callback: write for (const … of …) { await … } or await Promise.all(….map(async …))`,
        firstTool(callback),
      ),
    );
  }

  /** Whether a callback is async, or answers with something that is not seen to be no Promise. */
  function mayPromise(callback: Node): boolean {
    if (callback.modifiers?.some((one) => tree.is(one, 'AsyncKeyword'))) return true;
    const { body } = callback;
    if (!body || tree.is(body, 'Block'))
      return tree.nodes.some(
        (node) => tree.is(node, 'ReturnStatement') && callback.pos <= node.pos && node.end <= callback.end,
      );
    return tree.is(bare(tree, body), 'CallExpression', 'Identifier', 'ConditionalExpression');
  }

  function answerOf(type: Type | undefined): Type | undefined {
    const signature = type && types.getSignaturesOfType(type, 0)[0];
    return signature ? types.getReturnTypeOfSignature(signature) : undefined;
  }

  function firstTool(around: Node): Finding['tool'] {
    for (const node of tree.nodes) {
      if (node.pos < around.pos || node.end > around.end || !tree.is(node, 'CallExpression')) continue;
      const called = meanings.of(node.expression);
      if (called?.is === 'tool') return called;
    }
    return undefined;
  }

  function isOfProgram(node: Node): boolean {
    const around = functionAround(kindOf, node);
    return around !== undefined && answering.has(around);
  }

  /** JSON has no Map, Set or bigint: the program would end with another value than it returned, after its effects. */
  function checkWritten(node: Node): void {
    const type = typeOf(node);
    const text = type ? types.typeToString(type) : '';
    const kind = /^-?\d+n$/.test(text) ? 'bigint' : (/^(?:Map(?=<)|Set(?=<)|bigint$)/.exec(text)?.[0] ?? '');
    const shown = brief(tree, node);
    const advice = { Map: `Object.fromEntries(${shown})`, Set: `[...${shown}]`, bigint: `String(${shown})` }[kind];
    if (advice !== undefined) findings.push(find(node, `A program cannot return a ${kind}: return ${advice}`));
  }

  /** A Promise inside of what the program returns cannot be sent. */
  function checkAnswer(expression: Node): void {
    const node = bare(tree, expression);
    if (tree.is(node, 'ArrayLiteralExpression')) for (const one of node.elements ?? []) checkInside(one);
    else if (tree.is(node, 'ObjectLiteralExpression'))
      for (const one of node.properties ?? []) {
        if (tree.is(one, 'PropertyAssignment') && one.initializer) checkInside(one.initializer);
        else if (tree.is(one, 'ShorthandPropertyAssignment') && one.name) checkInside(one.name);
      }
    else if (!isPrimitive(node)) checkWhole(node, waitingOf(node) === 'promises');
  }

  function checkInside(node: Node): void {
    const inside = bare(tree, node);
    if (tree.is(inside, 'ArrayLiteralExpression', 'ObjectLiteralExpression')) checkAnswer(inside);
    else if (!isPrimitive(inside)) checkWhole(inside, waitingOf(inside) !== undefined);
  }

  function checkWhole(node: Node, isUnawaited: boolean): void {
    if (isUnawaited) report(node);
    else checkWritten(node);
  }
}

/** The functions whose answer is the program's. */
function answeringFunctions({ tree, program }: Look): ReadonlySet<Node> {
  const last = program.body?.statements?.at(-1);
  const found = new Set([program]);
  const call =
    tree.is(last, 'ReturnStatement') && tree.is(last.expression, 'AwaitExpression')
      ? last.expression.expression
      : undefined;
  if (!tree.is(call, 'CallExpression') || !call.expression) return found;
  let callee: Node | undefined = bare(tree, call.expression);
  for (let steps = 0; steps < 3 && tree.is(callee, 'Identifier'); steps += 1) {
    const declared: Node | undefined = tree.declarationOf(callee)?.node;
    callee =
      tree.is(declared, 'VariableDeclaration') && declared.initializer ? bare(tree, declared.initializer) : declared;
  }
  if (callee) found.add(callee);
  return found;
}
