import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { extractSlides } from './slides.js';

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...all: readonly (readonly [string, string])[]) =>
  `<Relationships>${all.map(([kind, target], at) => `<Relationship Id="r${at + 1}" Type="${types}/${kind}" Target="${target}"/>`).join('')}</Relationships>`;
const shape = (text: string, placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder && `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
const slide = (shapes: string, attributes = '') =>
  `<?xml version="1.0"?>\n<p:sld xmlns:p="p"${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

const read = (parts: Record<string, string>) =>
  extractSlides(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));

test('R-knowledge: slides come in the order of the presentation, with their titles, and without what is on every slide', () => {
  const { elements, notes } = read({
    '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r9"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['slide', 'slides/slide1.xml'], ['slide', 'slides/slide2.xml']),
    'ppt/slides/slide1.xml': slide(
      `${shape('12', 'sldNum')}<p:graphicFrame><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"/></p:graphicFrame>${shape('Later &amp; last')}`,
      ' show="0"',
    ),
    'ppt/slides/slide2.xml': slide(shape('Travel', 'title') + shape('Trains first.', 'body')),
  });
  expect(elements).toEqual([
    { type: 'text', text: 'Travel\nTrains first.', place: { page: 1, heading: ['Travel'] } },
    { type: 'text', text: 'Later & last', place: { page: 2 } },
  ]);
  expect(notes).toEqual(['Slide 2 is hidden.', 'Charts and diagrams of slide 2 are not read.']);
});

test('R-knowledge attack: half-open and repeated marks of a slide cost no more than their length', () => {
  for (const xml of [
    '<a:t '.repeat(200_000),
    '<a:t>x'.repeat(200_000),
    '<p:ph '.repeat(200_000),
    '<a:tbl>'.repeat(200_000),
  ]) {
    const from = performance.now();
    read({
      '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
      'ppt/presentation.xml': '<p:presentation><p:sldId r:id="r1"/></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(['slide', 'slides/slide1.xml']),
      'ppt/slides/slide1.xml': slide(xml + shape('end')),
    });
    expect(performance.now() - from).toBeLessThan(5_000);
  }
});

test('R-knowledge: an archive without a presentation is refused', () => {
  expect(() => read({ '_rels/.rels': relations() })).toThrow('it has no presentation');
});
