import type { LibrarianContext, Library } from './library.js';

/** Opens the embedded engine, or eXist-db if the operator set `toolkits.librarian.exist`. */
export async function openLibrary(context: LibrarianContext): Promise<Library> {
  if (context.settings.exist) return (await import('./exist/index.js')).openExist(context, context.settings.exist);
  return (await import('./embedded.js')).openEmbedded(context);
}
