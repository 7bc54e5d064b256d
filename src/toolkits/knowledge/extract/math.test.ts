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

test('R-knowledge: so does a formula of Word', () => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  expect(office(`<m:f><m:num>${run('a+b')}</m:num><m:den>${run('2c')}</m:den></m:f>`)).toBe('(a+b)/(2c)');
  expect(office(`<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2n')}</m:sup></m:sSup>`)).toBe('x^(2n)');
  expect(office(`<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('x')}</m:e></m:rad>`)).toBe('√[3]x');
});
