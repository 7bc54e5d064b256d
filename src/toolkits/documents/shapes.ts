/**
 * The parts of a document as a model writes it: one list of blocks for all four formats. There is one tool with a
 * `format`, not four, because the blocks are the long part of the schema and would be listed four times. Lists nest to
 * a written-out depth, because several model APIs refuse recursive schemas. The reader (`render/read-input.ts`) fills
 * in the defaults of blocks: the plane fills in defaults only where one schema applies.
 */
import { z } from 'zod';

const text = z.string().max(200_000);
const short = z.string().max(2_000);
const strict = z.strictObject;

const leaf = z.union([text, strict({ text })]);
const inner = z.union([text, strict({ text, items: z.array(leaf).max(1_000).optional() })]);
const item = z.union([text, strict({ text, items: z.array(inner).max(1_000).optional() })]);

const heading = strict({
  type: z.literal('heading'),
  level: z.int().min(1).max(6).optional().describe('Default 1, the highest'),
  text: short,
});
const paragraph = strict({ type: z.literal('paragraph'), text });
const list = strict({
  type: z.literal('list'),
  ordered: z.boolean().optional().describe('Numbered; default no'),
  items: z.array(item).min(1).max(5_000).describe('Texts, or {text, items} to nest, three levels deep'),
});
const cell = z.union([text, z.number(), z.boolean(), z.null()]);
const table = strict({
  type: z.literal('table'),
  header: z.array(text).min(1).max(50).optional(),
  rows: z.array(z.array(cell).max(50)).max(20_000).describe('Rows of cells; a short row is filled up'),
  column_widths: z.array(z.number().positive().max(1_000)).max(50).optional().describe('Relative, e.g. [1, 3, 1]'),
  caption: short.optional(),
});
const image = strict({
  type: z.literal('image'),
  data_base64: z.string().min(1).max(14_000_000).describe('A PNG or JPEG, base64; addresses are not fetched'),
  alt: short.describe('What it shows, for people who cannot see it'),
  width: z.number().min(5).max(100).optional().describe('Percent of the text width'),
});
const chart = strict({
  type: z.literal('chart'),
  kind: z.enum(['bar', 'line', 'pie', 'area', 'scatter']),
  title: short.optional(),
  categories: z
    .array(z.union([short, z.number()]))
    .min(1)
    .max(1_000)
    .describe('One for each value; for scatter the x values, as numbers'),
  series: z
    .array(strict({ name: short, values: z.array(z.number()).min(1).max(1_000) }))
    .min(1)
    .max(20)
    .describe('A pie has exactly one'),
});
const code = strict({ type: z.literal('code'), text });
const quote = strict({ type: z.literal('quote'), text });
const pageBreak = strict({ type: z.literal('page_break') });

const sheetCell = z.union([
  ...cell.options,
  strict({ date: z.string().max(40).describe('2026-03-14 or 2026-03-14T09:30:00') }),
  strict({ formula: z.string().min(1).max(2_000).describe('Without the equals sign, e.g. SUM(B2:B9)') }),
]);
const sheet = strict({
  type: z.literal('sheet'),
  name: z.string().min(1).max(31),
  columns: z
    .array(
      strict({
        header: short,
        format: z.enum(['general', 'text', 'integer', 'number', 'percent', 'date', 'datetime']).optional(),
        width: z.number().min(2).max(200).optional().describe('In characters'),
      }),
    )
    .min(1)
    .max(200)
    .optional()
    .describe('The header is row 1, so the first of rows is row 2'),
  rows: z.array(z.array(sheetCell).max(200)).max(100_000),
  freeze_header: z.boolean().optional().describe('Default yes'),
});

const inFlow = [heading, paragraph, list, table, image, chart, code, quote] as const;
const slide = strict({
  type: z.literal('slide'),
  layout: z.enum(['content', 'title', 'two_columns']).optional().describe('Default content'),
  title: short,
  subtitle: short.optional(),
  blocks: z.array(z.discriminatedUnion('type', inFlow)).max(200).optional(),
  notes: text.optional().describe('For the speaker'),
});

const block = z.discriminatedUnion('type', [...inFlow, pageBreak, sheet, slide]);

export const format = z.enum(['pdf', 'docx', 'xlsx', 'pptx']);

export const documentInput = strict({
  format,
  title: short.optional().describe('Printed at the top and kept as the file’s title'),
  author: short.optional(),
  content: z
    .array(block)
    .min(1)
    .max(5_000)
    .describe(
      'Blocks in order. Texts may hold **bold**, *italic*, `code`, ~~strike~~ and [link](https://…); cells of a sheet are taken literally. sheet: xlsx, and a table elsewhere. slide: pptx only',
    ),
  path: z.string().min(1).max(8_192).optional().describe('Where to write it; without it the file is in the result'),
  options: strict({
    page_size: z.enum(['a4', 'letter']).optional().describe('Default a4'),
    orientation: z.enum(['portrait', 'landscape']).optional().describe('Default portrait; slides are always 16:9'),
  }).optional(),
});

export const documentConfig = strict({
  allowed_paths: z
    .array(z.string().regex(/^\//).max(4_096))
    .max(100)
    .optional()
    .describe('Globs of absolute paths that `path` may lie in; default: the folder of the workspace'),
  max_bytes: z.int().positive().max(52_428_800).default(10_485_760).describe('Largest file, in bytes'),
});

export const documentSettings = strict({
  fonts: z
    .array(z.string().regex(/^\/.+\.(ttf|otf)$/i, 'must be the absolute path of a .ttf or .otf file'))
    .max(20)
    .default([])
    .describe('Font files for PDFs, tried in this order for characters that the built-in font lacks'),
});

export type DocumentInput = z.infer<typeof documentInput>;
export type DocumentFormat = z.infer<typeof format>;
