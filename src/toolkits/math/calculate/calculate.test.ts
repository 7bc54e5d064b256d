/**
 * CPython is the oracle: fixed rows it answered, then hostile input, where only a HelveError or a number may come out.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAttacks } from '../../../../tests/data/attacks.js';
import { HelveError } from '../../../domain/errors.js';
import { anyCharacter } from '../../../testing/any-character.js';
import { startCpuClock } from '../../../testing/cpu-time.js';
import { calculate, calculateToString } from './index.js';

interface OracleRow {
  readonly expr: string;
  readonly python: { readonly type?: string; readonly value?: string | boolean; readonly error?: string };
}

interface MaliciousRow {
  readonly id: string;
  readonly expr?: string | null;
  readonly raw?: string | null;
}

/** The HelveError an expression is refused with; undefined when it has a value. Anything else thrown fails the test. */
function refusal(expression: string): HelveError | undefined {
  try {
    const value = calculate(expression);
    expect(['number', 'boolean']).toContain(typeof value);
    calculateToString(expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof HelveError)) throw error;
    expect(error.code).toBe('invalid_input');
    expect(error.hint).toBeTruthy();
    return error;
  }
}

function pythonError(expression: string): unknown {
  return refusal(expression)?.details?.pythonError;
}

function pythonText(value: string | boolean | undefined): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}

test.each([
  ['-2 ** 2', '-4'],
  ['2 ** -1', '0.5'],
  ['2 ** 3 ** 2', '512'],
  ['7 // -2', '-4'],
  ['-7 % 3', '2'],
  ['-7.5 % -2', '-1.5'],
  ['round(2.5)', '2'],
  ['round(-2.5)', '-2'],
  ['round(2.675, 2)', '2.67'],
  ['round(25, -1)', '20'],
  ['round(-0.4, 0)', '-0.0'],
  ['10 / 3', '3.3333333333333335'],
  ['0 / -3', '-0.0'],
  ['10 ** 20 + 1', '100000000000000000001'],
  ['2 ** 53 + 1 == float(2 ** 53)', 'False'],
  ['10 ** 400 / 10 ** 399', '10.0'],
  ['6.630 ** -10', '6.0934705421866445e-09'],
  ['1e16', '1e+16'],
  ['123456789012345.0', '123456789012345.0'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['1e400', 'inf'],
  ['inf - inf', 'nan'],
  ['1 < 2 < 3', 'True'],
  ['3 >= -3 == 1', 'False'],
  ['True + True', '2'],
  ['True & False', 'False'],
  ['not 1 == 2', 'True'],
  ['0 or 3 and 4', '4'],
  ['1 if 0 else 2 if 0 else 3', '3'],
  ['2 < 1 < missing', 'False'],
  ['1 if True else missing', '1'],
  ['max(1, 2.5, 2,)', '2.5'],
  ['min(True, 1)', 'True'],
  ['log(8, 2)', '3.0'],
  ['log10(10 ** 1000)', '1000.0'],
  ['log(10 ** 1000)', '2302.585092994045'],
  ['sin(1e22)', '-0.8522008497671888'],
  ['factorial(20)', '2432902008176640000'],
  ['pow(3, -1, 7)', '5'],
  ['pow(2, 10, -7)', '-5'],
  ['isqrt(10 ** 40)', '100000000000000000000'],
  ['gcd(12, -18)', '6'],
  ['lcm(4, 6)', '12'],
  ['1_000 + 0x1f + 0o17 + 0b1', '1047'],
  ['1if 2 else 3', '1'],
  ['(1\n+ 2) # the sum', '3'],
  ['  1 << 3  ', '8'],
])('R-calculate: %s is %s, as in Python', (expression, expected) => {
  expect(calculateToString(expression)).toBe(expected);
});

test.each([
  ['1 / 0', 'ZeroDivisionError'],
  ['0 ** -1', 'ZeroDivisionError'],
  ['5.0 % 0', 'ZeroDivisionError'],
  ['sqrt(-1)', 'ValueError'],
  ['log(0)', 'ValueError'],
  ['(-8) ** (1 / 3)', 'ValueError'],
  ['exp(1000)', 'OverflowError'],
  ['10.0 ** 400', 'OverflowError'],
  ['float(10 ** 400)', 'OverflowError'],
  ['int(nan)', 'ValueError'],
  ['max(5)', 'TypeError'],
  ['abs(1, 2)', 'TypeError'],
  ['1.5 & 2', 'TypeError'],
  ['1(2)', 'TypeError'],
  ['sine(1)', 'NameError'],
  ['6÷2', 'SyntaxError'],
  ['6×2', 'SyntaxError'],
  ['１+1', 'SyntaxError'],
  ['5!', 'SyntaxError'],
  ['012', 'SyntaxError'],
  ['3j', 'SyntaxError'],
  ['1__0', 'SyntaxError'],
  ['1\n+2', 'SyntaxError'],
  ['1, 2', 'SyntaxError'],
  ['abs(x=1)', 'SyntaxError'],
  ['"a"', 'SyntaxError'],
  ['pi.real', 'SyntaxError'],
  ['lambda: 1', 'SyntaxError'],
  ['1 == not 2', 'SyntaxError'],
  ['', 'SyntaxError'],
])('R-calculate: %s is refused with %s', (expression, expected) => {
  expect(pythonError(expression)).toBe(expected);
});

test('R-calculate: calculate gives numbers and booleans', () => {
  expect(calculate('2 ** 10')).toBe(1024);
  expect(calculate('1 / 4')).toBe(0.25);
  expect(calculate('1 < 2')).toBe(true);
});

test('R-calculate: an error says what, where and how to correct it', () => {
  const unknown = refusal('1 + squrt(4)');
  expect(unknown?.message).toBe("NameError at column 5: name 'squrt' is not defined");
  expect(unknown?.hint).toMatch(/^Did you mean sqrt\? Functions: .*Constants: /);
  expect(refusal('1 + frobnicate(4)')?.hint).toMatch(/^Functions: /);
  expect(unknown?.details).toEqual({ position: 4, pythonError: 'NameError' });
  expect(refusal('2.0 ^ 3')?.hint).toContain('**');
});

const oracle = readAttacks<OracleRow>('math-python-oracle');
describe('the rows CPython answered', () => {
  test.each(oracle)('R-calculate: oracle $expr', ({ expr, python }) => {
    if (python.error !== undefined) expect(pythonError(expr)).toBe(python.error);
    else expect(calculateToString(expr)).toBe(pythonText(python.value));
  });
});

const malicious = readAttacks<MaliciousRow>('math-malicious');
describe('the malicious rows', () => {
  test.each(malicious)('R-calculate: malicious $id', ({ expr, raw }) => {
    const expression = raw ?? expr ?? '';
    if (refusal(expression) === undefined) expect(Number.isFinite(Number(calculate(expression)))).toBe(true);
  });
});

const prototypeNames = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'prototype'];
test.each(prototypeNames)('R-calculate: the name %s resolves to nothing', (name) => {
  expect(pythonError(name)).toBe('NameError');
  expect(pythonError(`${name}(1)`)).toBe('NameError');
});

const hostile: [string, string][] = [
  ['a tower of powers', '9**9**9'],
  ['a tower of negative powers', '(-9)**9**9'],
  ['a tower of float powers', '9.0**9**9'],
  ['a huge shift', '1 << 10**18'],
  ['a huge factorial', 'factorial(10**9)'],
  ['a huge modular power', 'pow(7**20000, 7**20000, 7**20000 + 2)'],
  ['a huge gcd', 'gcd(3**9000, 7**5000)'],
  ['a long gcd list', `gcd(${'3**9000, 7**5000, '.repeat(200)})`],
  ['many big powers', `${'7**23000%11+'.repeat(330)}1`],
  ['many big factorials', `${'factorial(5000)%7+'.repeat(220)}1`],
  ['many big quotients', `0*(${'3**20000//7**5000+'.repeat(200)}1)`],
  ['many roots', `${'isqrt(7**20000)%3+'.repeat(220)}1`],
  ['many sines', `${'sin(9)+'.repeat(570)}1`],
  ['many float powers', `${'1.1**.7+'.repeat(490)}1`],
  ['growing squares', `${'('.repeat(100)}9${')**2'.repeat(100)}`],
  ['deep parentheses', `${'('.repeat(1_999)}1${')'.repeat(1_999)}`],
  ['parentheses never closed', '('.repeat(4_000)],
  ['a train of minus signs', `${'-'.repeat(3_999)}1`],
  ['a train of nots', `${'not '.repeat(999)}1`],
  ['a train of powers', `${'1**'.repeat(1_333)}1`],
  ['a train of conditions', `${'1 if 1 else '.repeat(333)}1`],
  ['every precedence, nested', `${'1 or 1 and 1<1|1^1&1<<1+1*('.repeat(140)}1${')'.repeat(140)}`],
  ['nested calls', `${'abs('.repeat(790)}1${')'.repeat(790)}`],
  ['a long sum', `${'1+'.repeat(1_999)}1`],
  ['a long comparison', `${'1<'.repeat(1_999)}2`],
  ['a long name', 'a'.repeat(4_000)],
  ['a long number', '9'.repeat(4_000)],
  ['a long fraction', `.${'9'.repeat(3_999)}`],
  ['many underscores', `1${'_'.repeat(3_999)}`],
  ['too long an expression', '1+'.repeat(1_000_000)],
  ['too many digits to print', '10**5000'],
];

test.each(hostile)('R-calculate: %s ends immediately', (_, expression) => {
  refusal(expression); // the first time compiles
  const worked = startCpuClock();
  refusal(expression);
  // Two evaluations of some 20 ms at most; the rest is room for a busy machine.
  expect(worked()).toBeLessThan(200);
});

test('R-calculate: what cannot be bounded is refused', () => {
  expect(pythonError('9**9**9')).toBe('OverflowError');
  expect(pythonError('10**5000')).toBe('ValueError');
  expect(pythonError('1+'.repeat(2_001))).toBe('SyntaxError');
  expect(pythonError(`${'('.repeat(300)}1${')'.repeat(300)}`)).toBe('SyntaxError');
});

const words = ['1', '0', '2.5', '1e308', '0x1f', '(', ')', ',', '+', '-', '*', '**', '/', '//', '%', '<<', '>>', '&']
  .concat(['|', '^', '~', '<', '==', '!=', 'and', 'or', 'not', 'if', 'else', 'True', 'pi', 'inf', 'nan', 'abs('])
  .concat(['max(', 'round(', 'log(', 'pow(', 'factorial(', 'sin(', 'gcd(', 'hypot(', 'x', '.', '\n', '#']);

test('R-calculate: nothing but a HelveError is ever thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => void refusal(text)),
    { numRuns: 500 },
  );
  const soup = fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(soup, (text) => void refusal(text)),
    { numRuns: 3_000 },
  );
});

test('R-calculate: division and remainder fit together for all integers', () => {
  const big = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(big, big, (a, b) => {
      fc.pre(b !== 0n);
      expect(calculate(`(${a} // ${b}) * ${b} + ${a} % ${b} == ${a}`)).toBe(true);
    }),
  );
});
