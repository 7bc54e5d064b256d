/** Makes documents: one request yields one file. Runs in a worker. */
import type { Document, Rendered, RenderRequest } from './model.js';
import { readInput } from './read-input.js';

/** Throws what `refuse` says. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const document = readInput(request);
  const bytes = await write(document, request);
  return { bytes, notes: document.notes };
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
