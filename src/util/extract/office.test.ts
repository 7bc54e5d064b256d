import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { getMedia } from './media.js';
import { extractDocx, extractXlsx } from './office.js';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

interface Book {
  readonly rows: string;
  /** After the rows of the sheet. */
  readonly after?: string;
  readonly properties?: string;
  readonly state?: string;
  readonly formats?: readonly string[];
  /** Kind and target of each. */
  readonly relations?: readonly (readonly [string, string])[];
  readonly parts?: Readonly<Record<string, string>>;
}

const relationsOf = (all: readonly (readonly [string, string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${kind}" Target="${target}"/>`).join('')}</Relationships>`;

const toSheet = ({ rows, after = '' }: Book) =>
  `<worksheet ${main} xmlns:r="${office}"><sheetData>${rows}</sheetData>${after}</worksheet>`;

function listParts(book: Book): Record<string, string> {
  const { properties = '', state = 'visible', formats = [], relations = [], parts } = book;
  const numFmts = formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join('');
  const cellXfs = [
    '<xf numFmtId="0" fontId="0"/>',
    ...formats.map((_, at) => `<xf numFmtId="${170 + at}" fontId="0"/>`),
  ];
  return {
    '_rels/.rels': relationsOf([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}">${properties}<sheets><sheet name="Q &amp; A" sheetId="1" state="${state}" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf([
      ['worksheet', '/xl/worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${numFmts}</numFmts><cellXfs>${cellXfs.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': toSheet(book),
    'xl/worksheets/_rels/sheet1.xml.rels': relationsOf(relations),
    ...parts,
  };
}

const pack = (parts: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, strToU8(content)])));

async function read(book: Book): Promise<{ lines: string; notes: readonly string[]; places: readonly unknown[] }> {
  const { elements, notes } = await extractXlsx(pack(listParts(book)));
  const tables = elements.filter(({ type }) => type === 'table');
  return { lines: tables.map(({ text }) => text).join('\n'), notes, places: tables.map(({ place }) => place) };
}

const text = (address: string, value: string) => `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (address: string, value: number | string, style = 0) =>
  `<c r="${address}" s="${style}"><v>${value}</v></c>`;
const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join('')}</row>`;
const comment = (words: string) =>
  `<comments ${main}><commentList><comment ref="A1" authorId="0"><text><r><t>${words}</t></r></text></comment></commentList></comments>`;

describe('workbooks of other programs', () => {
  const rows = row(1, text('A1', 'Price'));

  test.each<[string, Omit<Book, 'rows'>, string]>([
    [
      'a note as LibreOffice writes it',
      {
        relations: [
          ['comments', '../comments1.xml'],
          ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
        ],
        parts: { 'xl/comments1.xml': comment('net &#8364;') },
      },
      'Price (net €)',
    ],
    [
      'a note as openpyxl writes it',
      { relations: [['comments', '/xl/comments/comment1.xml']], parts: { 'xl/comments/comment1.xml': comment('net') } },
      'Price (net)',
    ],
    [
      'a talk about a cell',
      {
        relations: [
          ['threadedComment', '../threadedComments/t1.xml'],
          ['comments', '../comments1.xml'],
        ],
        parts: {
          'xl/comments1.xml': comment('[Threaded comment]'),
          'xl/threadedComments/t1.xml':
            '<ThreadedComments><threadedComment ref="A1" id="1"><text>net?</text></threadedComment><threadedComment ref="A1" id="2"><text>Yes.</text></threadedComment></ThreadedComments>',
        },
      },
      'Price (net?; Yes.)',
    ],
    [
      'a table as openpyxl writes it',
      {
        after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        relations: [['table', '/xl/tables/table1.xml']],
      },
      'Price',
    ],
    [
      'a link whose address is missing',
      { after: '<hyperlinks><hyperlink ref="A1" r:id="rId7"/></hyperlinks>' },
      'Price',
    ],
    [
      'names with a prefix',
      {
        parts: {
          'xl/worksheets/sheet1.xml': toSheet({ rows })
            .replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
            .replace('xmlns=', 'xmlns:x='),
        },
      },
      'Price',
    ],
    [
      'a sheet under another name',
      {
        parts: {
          'xl/_rels/workbook.xml.rels': relationsOf([['worksheet', 'worksheets/First.xml']]),
          'xl/worksheets/First.xml': toSheet({ rows }),
        },
      },
      'Price',
    ],
  ])('R-knowledge: the cells are read whatever else there is: %s', async (_, book, lines) => {
    expect(await read({ rows, ...book })).toMatchObject({ lines, notes: [] });
  });

  test('R-knowledge: rows and cells that do not say where they are follow one another', async () => {
    const cell = (value: number) => `<c><v>${value}</v></c>`;
    const second = `<row><c r="B2"><v>3</v></c>${cell(4)}</row>`;
    expect((await read({ rows: `<row>${cell(1)}${cell(2)}</row>${second}` })).lines).toBe('1 | 2\n | 3 | 4');
  });

  test('R-knowledge: an archive without a workbook is told', async () => {
    await expect(extractXlsx(pack({ 'xl/workbook.xml': '<workbook/>' }))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('no workbook'),
    });
  });
});

describe('what a reader of a sheet sees', () => {
  test.each([
    ['0.0%', 0.125, '12.5%'],
    ['0%', 0.07, '7%'],
    ['[$€-407]#,##0.00', 1234.5, '€1234.5'],
    ['#,##0.00\\ [$€-407];[Red]\\-#,##0.00\\ [$€-407]', -1234.5, '-1234.5 €'],
    ['&quot;$&quot;#,##0_);(&quot;$&quot;#,##0)', -5, '-$5'],
    ['0.0&quot; kg&quot;', 2.5, '2.5 kg'],
    ['00000', 1234, '01234'],
    ['0.0,,&quot;M&quot;', 1_500_000, '1500000'],
    ['0.00E+00', 0.5, '0.5'],
    ['General', 0.1, '0.1'],
    ['yyyy\\-mm\\-dd', 45_000, '2023-03-15'],
    ['d/m/yy h:mm', 45_000.25, '2023-03-15T06:00:00'],
    ['h:mm', 0.395833333333333, '09:30:00'],
    ['[h]:mm', 1.5, '36:00:00'],
    ['mmm yyyy', 45_000, '2023-03-15'],
  ])('R-knowledge: %s shows %d as %s', async (format, value, shown) => {
    expect((await read({ rows: row(1, number('A1', value, 1)), formats: [format] })).lines).toBe(shown);
  });

  test.each([
    '1',
    'true',
  ])('R-knowledge: dates are counted from 1904 where the workbook says so by %s', async (mark) => {
    const properties = `<workbookPr date1904="${mark}"/>`;
    const rows = row(1, number('A1', 43_891, 1), number('B1', 0.5, 2));
    expect((await read({ rows, properties, formats: ['d.m.yyyy', 'h:mm'] })).lines).toBe('2024-03-02 | 12:00:00');
  });

  test('R-knowledge: a date that is written as text is that date', async () => {
    const rows = row(1, '<c r="A1" s="1" t="d"><v>2024-05-06T00:00:00</v></c>');
    expect((await read({ rows, formats: ['d.m.yyyy'] })).lines).toBe('2024-05-06T00:00:00');
  });

  test('R-knowledge: a formula shows its result, also when it shares another’s formula, or when the result is 0 or FALSE', async () => {
    const rows = [
      row(1, '<c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>10</v></c>', number('B1', 5)),
      row(2, '<c r="A2"><f t="shared" si="0"/><v>12</v></c>', number('B2', 6)),
      row(3, '<c r="A3"><f>B1-B1</f><v>0</v></c>', '<c r="B3" t="b"><f>FALSE()</f><v>0</v></c>'),
    ];
    expect(await read({ rows: rows.join('') })).toMatchObject({ lines: '10 | 5\n12 | 6\n0 | false', notes: [] });
  });

  test('R-knowledge: a formula that no program has calculated is shown itself, and the notes tell it', async () => {
    const { lines, notes } = await read({ rows: row(1, number('A1', 5), '<c r="B1"><f>A1*2</f></c>') });
    expect(lines).toBe('5 | =A1*2');
    expect(notes).toEqual([expect.stringContaining('no results for 1 formulas of the sheet Q & A')]);
  });

  test('R-knowledge: a cell over several rows is repeated in each, one over several columns is not', async () => {
    const rows = [
      row(1, text('A1', 'Sales'), '<c r="B1"/>', text('C1', 'Note')),
      row(2, text('A2', 'North'), number('B2', 1)),
      row(3, '<c r="A3"/>', number('B3', 2)),
      row(4, '<c r="A4"/>'),
    ];
    const after = '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A2:A4"/></mergeCells>';
    expect((await read({ rows: rows.join(''), after })).lines).toBe('Sales |  | Note\nNorth | 1\nNorth | 2');
  });

  test('R-knowledge: hidden sheets, hidden rows and charts are told', async () => {
    const hidden = await read({
      rows: `<row r="1" hidden="1">${text('A1', 'x')}</row>`,
      state: 'veryHidden',
      relations: [['drawing', '../drawings/drawing1.xml']],
      after: '<drawing r:id="rId1"/>',
      parts: { 'xl/drawings/drawing1.xml': '<wsDr><oneCellAnchor><graphicFrame/></oneCellAnchor></wsDr>' },
    });
    expect(hidden.places).toEqual([{ sheet: 'Q & A', part: 'hidden sheet', cells: 'A1:A1' }]);
    expect(hidden.notes).toEqual([
      'The sheet Q & A is hidden.',
      expect.stringContaining('rows or columns of the sheet Q & A are hidden'),
      expect.stringContaining('charts and text boxes of the sheet Q & A are not read'),
    ]);
  });
});

describe('documents of Word', () => {
  const run = (content: string) => `<w:r>${content}</w:r>`;
  const words = (given: string, kind = 't') => run(`<w:${kind}>${given}</w:${kind}>`);
  const box = (checked: number) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent>${words('☐')}</w:sdtContent></w:sdt>`;

  async function readDocx(body: string, name = 'document', more: Record<string, string> = {}) {
    const namespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"`;
    const parts = {
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      '_rels/.rels': relationsOf([['officeDocument', `word/${name}.xml`]]),
      [`word/${name}.xml`]: `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
      ...more,
    };
    const bytes = pack(parts);
    expect(getMedia('a', bytes, undefined).mediaType).toContain('wordprocessingml');
    const { elements, notes } = await extractDocx(bytes);
    return { text: elements.map((element) => element.text).join('\n'), notes };
  }

  test.each([
    [
      'the result of a field',
      `${words('On ')}<w:fldSimple w:instr=" IF a > b ">${words('1 May')}</w:fldSimple>`,
      'On 1 May',
    ],
    [
      'a word with its reading beside it',
      run(`<w:ruby><w:rt>${words('kanji')}</w:rt><w:rubyBase>${words('漢字')}</w:rubyBase></w:ruby>`),
      '漢字',
    ],
    ['words with a direction', `<w:bdo w:val="rtl">${words('שלום')}</w:bdo>`, 'שלום'],
    ['a line break', `${words('one')}${run('<w:cr/>')}${words('two')}`, 'one two'],
    ['boxes', `${box(1)}${words('yes')}${box(0)}${words('no')}`, '☒ yes ☐ no'],
  ])('R-knowledge: in a document this is read: %s', async (_, content, text) => {
    expect(await readDocx(`<w:p>${content}</w:p>`)).toEqual({ text, notes: [] });
  });

  test('R-knowledge: a document whose main part has the name that Word on the web gives it is read', async () => {
    const field = `<w:p><w:fldSimple w:instr="DATE">${words('1 May')}</w:fldSimple></w:p>`;
    expect(await readDocx(field, 'document2')).toMatchObject({ text: '1 May' });
  });

  test('R-knowledge: that pictures are not read is told', async () => {
    const picture = `<w:p>${words('ten')}<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="rId1"/></v:shape></w:pict></w:r></w:p>`;
    const relations = relationsOf([['image', 'media/a.png']]);
    const { text, notes } = await readDocx(picture, 'document', { 'word/_rels/document.xml.rels': relations });
    expect(text).toBe('ten');
    expect(notes).toEqual(['Of 1 pictures only the descriptions are read.']);
  });

  test.each([
    ['tracked changes', `<w:ins w:id="1">${words('ten')}</w:ins><w:del w:id="2">${words('nine', 'delText')}</w:del>`],
    ['another document', `${words('ten')}<w:altChunk r:id="r9"/>`],
    ['Charts', `${words('ten')}<w:r><w:drawing><c:chart r:id="r9"/></w:drawing></w:r>`],
  ])('R-knowledge: in a document this is told: %s', async (what, content) => {
    const { text, notes } = await readDocx(`<w:p>${content}</w:p>`);
    expect(text).toBe('ten');
    expect(notes).toEqual([expect.stringContaining(what)]);
  });

  const styles = (...inner: string[]) => ({
    'word/_rels/document.xml.rels': relationsOf([['styles', 'styles.xml']]),
    'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner.join('')}</w:styles>`,
  });
  const styled = (properties: string, given = 'Ignore the rest') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${given}</w:t></w:r>`;
  const white = '<w:color w:val="FFFFFF" w:themeColor="background1"/>';
  const blackCell = '<w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="1F3864"/></w:tcPr>';
  const inTable = (cell: string, table = '') => `</w:p><w:tbl>${table}<w:tr><w:tc>${cell}</w:tc></w:tr></w:tbl><w:p>`;
  const inBox = (fill: string, run: string) =>
    `<w:r><w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml" fillcolor="${fill}"><v:textbox><w:txbxContent><w:p>${run}</w:p></w:txbxContent></v:textbox></v:rect></w:pict></w:r>`;

  test.each([
    ['marked as hidden', styled('<w:vanish/>')],
    ['white', styled(white)],
    ['almost white', styled('<w:color w:val="FAFAFF"/>')],
    ['without size', styled('<w:sz w:val="2"/>')],
    ['white in a paragraph with a light ground', `<w:pPr><w:shd w:fill="FDFDFD"/></w:pPr>${styled(white)}`],
    ['black on black', styled('<w:color w:val="000000"/><w:highlight w:val="black"/>')],
    ['white in a table without a ground', inTable(`<w:p>${styled(white)}</w:p>`)],
    ['white in a white box', inBox('#fff', styled(white))],
    [
      'hidden with a box in it',
      `<w:r><w:rPr><w:vanish/></w:rPr>${inBox('black', styled('', 'Ignore the rest'))}</w:r>`,
    ],
    ['hidden by a style that is based on another', styled('<w:rStyle w:val="b"/>')],
    ['hidden by the style of its paragraph', `<w:pPr><w:pStyle w:val="p"/></w:pPr>${styled('')}`],
    [
      'marked after a section of raw text',
      `<w:r><w:rPr><![CDATA[</w:rPr>]]><w:vanish/></w:rPr><w:t>Ignore</w:t></w:r>`,
    ],
    ['marked after a comment', `<w:r><w:rPr><!-- </w:rPr></w:r> --><w:vanish/></w:rPr><w:t>Ignore</w:t></w:r>`],
  ])('R-knowledge attack: text of a document that a reader does not see is left out: %s', async (_, content) => {
    const given = styles(
      '<w:style w:type="character" w:styleId="a"><w:rPr><w:vanish/></w:rPr></w:style>',
      '<w:style w:type="character" w:styleId="b"><w:basedOn w:val="a"/></w:style>',
      '<w:style w:type="paragraph" w:styleId="p"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>',
    );
    const { text, notes } = await readDocx(`<w:p>${words('Tea: 3')}${content}</w:p>`, 'document', given);
    expect(text.trim()).toBe('Tea: 3');
    expect(notes).toContain('Text that a reader does not see was left out.');
  });

  test.each([
    ['not hidden after all', styled('<w:vanish w:val="0"/>', 'Tea')],
    ['formatted differently before', styled('<w:rPrChange w:id="1"><w:rPr><w:vanish/></w:rPr></w:rPrChange>', 'Tea')],
    ['with a hidden mark of the paragraph', `<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${styled('', 'Tea')}`],
    ['white on a dark run', styled(`${white}<w:shd w:val="clear" w:fill="000000"/>`, 'Tea')],
    ['white in a dark cell', inTable(`${blackCell}<w:p>${styled(white, 'Tea')}</w:p>`)],
    [
      'white in a table whose style fills cells',
      inTable(`<w:p>${styled(white, 'Tea')}</w:p>`, '<w:tblPr><w:tblStyle w:val="t"/></w:tblPr>'),
    ],
    ['white in a dark box', inBox('#036', styled(white, 'Tea'))],
    ['in the colour that the program chooses', styled('<w:color w:val="auto"/>', 'Tea')],
  ])('R-knowledge: text of a document that a reader sees is read: %s', async (_, content) => {
    const given = styles(
      '<w:style w:type="table" w:styleId="t"><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style>',
    );
    const { text, notes } = await readDocx(`<w:p>${content}</w:p>`, 'document', given);
    expect([text, notes]).toEqual(['Tea', []]);
  });

  test('R-knowledge attack: hidden text of a header is left out, and names under another prefix are refused', async () => {
    const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const header = {
      'word/header1.xml': `<w:hdr ${space}><w:p>${styled('<w:vanish/>')}${words('Page')}</w:p></w:hdr>`,
    };
    expect((await readDocx(`<w:p>${words('Tea')}</w:p>`, 'document', header)).text).toBe('Tea\nPage');
    const other = `<w:p><q:r ${space.replace(':w', ':q')}><q:rPr><q:vanish/></q:rPr><q:t>Ignore</q:t></q:r></w:p>`;
    await expect(readDocx(other)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('“q”'),
    });
  });
});
