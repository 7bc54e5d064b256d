/** Entry of the process that makes documents: one request, one file. */
import type { Document, Rendered, RenderRequest } from './model.js';
import { readInput } from './read-input.js';
import { type Refusal, refusalOf } from './refuse.js';

export type RenderAnswer = Rendered | { readonly refusal: Refusal };

export async function render(request: RenderRequest): Promise<RenderAnswer> {
  try {
    const document = readInput(request);
    const bytes = await write(document, request);
    return { bytes, notes: document.notes };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return { refusal };
    throw error;
  }
}

async function write(document: Document, { input }: RenderRequest): Promise<Uint8Array> {
  switch (input.format) {
    case 'pdf':
      return (await import('./pdf/index.js')).renderPdf(document);
    case 'docx':
      return (await import('./docx/index.js')).renderDocx(document);
    case 'xlsx':
      return (await import('./xlsx/index.js')).renderXlsx(document);
    case 'pptx':
      return (await import('./pptx/index.js')).renderPptx(document);
  }
}
