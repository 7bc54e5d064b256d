/** The look of all four formats: one set of colours and sizes. */
export const colours = {
  text: '1F2933',
  heading: '16324F',
  muted: '5F6C7B',
  link: '1A56A8',
  border: 'C5CDD8',
  shade: 'E8EDF3',
  paper: 'F5F7FA',
};

export const palette = ['2F6DB5', 'E08A2C', '3C9A6B', 'B5485D', '7A5EA8', '4BA3B7', 'A98B3A', '6B7785'];

export const getColour = (index: number): string => palette[index % palette.length] ?? colours.text;

/** Points, by level. */
export const headingSizes = [20, 16, 13.5, 12, 11, 10.5];

export const headingSize = (level: number): number => headingSizes[level - 1] ?? 11;

/** Points: A4 and letter, upright. */
export const pageSizes = { a4: [595.28, 841.89], letter: [612, 792] } as const;

export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
} as const;

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and related scripts. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
