import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { mathText } from './math.js';
import type { XmlNode } from './model.js';

const textOf = (xml: string): string =>
  mathText(new DOMParser().parseFromString(xml, 'text/xml') as unknown as XmlNode);
const math = (inner: string) => textOf(`<math>${inner}</math>`);
const office = (inner: string) => textOf(`<m:oMath xmlns:m="urn:m">${inner}</m:oMath>`);

const sum = '<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>';
const product = '<mrow><mn>2</mn><mi>c</mi></mrow>';

test('R-knowledge: MathML on one line keeps its meaning', () => {
  expect(math(`<mfrac>${sum}${product}</mfrac>`)).toBe('(a+b)/(2c)');
  expect(math(`<mfrac>${product}${sum}</mfrac>`)).toBe('2c/(a+b)');
  expect(math('<mfrac><mn>1</mn><mrow><mi>a</mi><mi>b</mi></mrow></mfrac>')).toBe('1/(ab)');
  expect(math('<mfrac><mn>1</mn><mn>10</mn></mfrac>')).toBe('1/10');
  expect(math('<mfrac><mi>x</mi><mi>y</mi></mfrac>')).toBe('x/y');
  expect(math(`<msup><mi>x</mi>${product}</msup>`)).toBe('x^(2c)');
  expect(math('<msup><mi>x</mi><mn>10</mn></msup>')).toBe('x^10');
  expect(math('<msub><mi>x</mi><mi>max</mi></msub>')).toBe('x_max');
  expect(math(`<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>`)).toBe(
    '∑_(i=1)^n',
  );
  expect(math(`<msqrt>${sum}</msqrt>`)).toBe('√(a+b)');
  expect(math('<mroot><mi>x</mi><mn>3</mn></mroot>')).toBe('√[3]x');
  expect(math('<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>')).toBe('1, 2;');
});

test.each([
  [`<msup>${sum}<mn>2</mn></msup>`, '(a+b)^2'],
  [`<msub>${sum}<mi>n</mi></msub>`, '(a+b)_n'],
  [`<msubsup>${sum}<mi>n</mi><mn>2</mn></msubsup>`, '(a+b)_n^2'],
  [`<munder>${sum}<mi>n</mi></munder>`, '(a+b)_n'],
  [`<mover>${sum}<mo>¯</mo></mover>`, '(a+b)^(¯)'],
  [`<msup>${product}<mn>3</mn></msup>`, '(2c)^3'],
  ['<msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup>', '(a/b)^2'],
  ['<msup><msqrt><mi>x</mi></msqrt><mn>2</mn></msup>', '(√x)^2'],
  ['<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>', '(x^2)^3'],
  ['<msup><mi>x</mi><msup><mn>2</mn><mn>3</mn></msup></msup>', 'x^(2^3)'],
  ['<msub><msup><mi>x</mi><mn>2</mn></msup><mi>i</mi></msub>', '(x^2)_i'],
  ['<msub><msub><mi>x</mi><mi>i</mi></msub><mi>j</mi></msub>', '(x_i)_j'],
  ['<msup><mrow><mo>-</mo><mn>1</mn></mrow><mi>n</mi></msup>', '(-1)^n'],
  [`<msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt>`, '√(x^2)'],
  [`<mfrac><mfrac><mi>a</mi><mi>b</mi></mfrac>${sum}</mfrac>`, '(a/b)/(a+b)'],
  ['<msub><mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac></msub>', 'x_(1/2)'],
  [`<msup><mrow><mo>(</mo>${sum}<mo>)</mo><mo>(</mo>${sum}<mo>)</mo></mrow><mn>2</mn></msup>`, '((a+b)(a+b))^2'],
  [`<msup><mfenced>${sum}${product}</mfenced><mn>2</mn></msup>`, '(a+b, 2c)^2'],
  [`<mfenced open="[" close="">${sum}</mfenced>`, '[a+b'],
])('R-knowledge: parentheses where precedence needs them: %s is %s', (written, text) => {
  expect(math(written)).toBe(text);
});

test.each([
  ['<msup><msub><mi>x</mi><mi>i</mi></msub><mn>2</mn></msup>', 'x_i^2'],
  ['<msup><mi>sin</mi><mn>2</mn></msup>', 'sin^2'],
  ['<munder><mo>lim</mo><mi>n</mi></munder>', 'lim_n'],
  ['<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>', 'x_ij'],
  [`<msup><mrow><mo>(</mo>${sum}<mo>)</mo></mrow><mn>2</mn></msup>`, '(a+b)^2'],
  [`<mfrac><mn>1</mn><mrow><mo>|</mo>${sum}<mo>|</mo></mrow></mfrac>`, '1/|a+b|'],
  ['<mfrac><mn>1</mn><mn>2.5</mn></mfrac>', '1/2.5'],
  ['<mfrac><mrow><mn>2</mn><msup><mi>x</mi><mn>2</mn></msup></mrow><mi>y</mi></mfrac>', '2x^2/y'],
])('R-knowledge: and no others: %s is %s', (written, text) => {
  expect(math(written)).toBe(text);
});

test('R-knowledge: so does a formula of Word', () => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  expect(office(`<m:f><m:num>${run('a+b')}</m:num><m:den>${run('2c')}</m:den></m:f>`)).toBe('(a+b)/(2c)');
  expect(office(`<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2n')}</m:sup></m:sSup>`)).toBe('x^(2n)');
  expect(office(`<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('x')}</m:e></m:rad>`)).toBe('√[3]x');
  const square = (base: string) => office(`<m:sSup><m:e>${base}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`);
  expect(square(run('a+b'))).toBe('(a+b)^2');
  expect(square(run('ab'))).toBe('(ab)^2');
  expect(square('<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>sin</m:t></m:r>')).toBe('sin^2');
  expect(square(`<m:d><m:e>${run('a+b')}</m:e></m:d>`)).toBe('(a+b)^2');
  const limits = `<m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup>`;
  expect(office(`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${limits}<m:e>${run('x')}</m:e></m:nary>`)).toBe(
    '∑_(i=1)^n x',
  );
});

test('R-knowledge: a formula of Word that is nested very deeply is cut', () => {
  const depth = 20_000;
  expect(office(`${'<m:d><m:e>'.repeat(depth)}x${'</m:e></m:d>'.repeat(depth)}`)).not.toContain('x');
});
