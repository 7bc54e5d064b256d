/** The zip archive of an Office file: parts, their content types and the relations between them. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

export interface Parts {
  readonly files: Map<string, Uint8Array>;
  text(path: string): string;
  write(path: string, text: string): void;
  /** Adds a relation to a part, and returns its id. */
  relate(part: string, type: string, target: string): string;
  declare(part: string, contentType: string): void;
  /** Removes declarations of parts that do not exist, because Office would offer to repair the file. */
  declareOnlyParts(): void;
  pack(): Uint8Array;
}

export const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const findRelations = (part: string): string => part.replace(/([^/]+)$/, '_rels/$1.rels');
const noRelations =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>';
const contentTypes = '[Content_Types].xml';

export function openPackage(bytes: Uint8Array): Parts {
  const files = new Map(Object.entries(unzipSync(bytes)).filter(([path]) => !path.endsWith('/')));
  const text = (path: string): string => strFromU8(files.get(path) ?? new Uint8Array());
  const write = (path: string, content: string): void => void files.set(path, strToU8(content));
  return {
    files,
    text,
    write,
    relate(part, type, target) {
      const path = findRelations(part);
      const before = files.has(path) ? text(path) : noRelations;
      const id = `rIdHelve${before.split('<Relationship ').length}`;
      const added = `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/></Relationships>`;
      write(
        path,
        before.includes('</Relationships>')
          ? before.replace('</Relationships>', added)
          : noRelations.replace('</Relationships>', added),
      );
      return id;
    },
    declare(part, contentType) {
      const added = `<Override PartName="/${part}" ContentType="${contentType}"/></Types>`;
      write(contentTypes, text(contentTypes).replace('</Types>', added));
    },
    declareOnlyParts() {
      const there = text(contentTypes).replace(/<Override PartName="\/([^"]+)"[^>]*>/g, (tag, part) =>
        files.has(part) ? tag : '',
      );
      write(contentTypes, there);
    },
    pack() {
      // The content types come first, as Office writes them; and equal content gives equal bytes.
      const paths = [...files.keys()].sort(
        (one, other) => Number(other === contentTypes) - Number(one === contentTypes),
      );
      const entries = paths.map((path) => [path, files.get(path) ?? new Uint8Array()]);
      return zipSync(Object.fromEntries(entries), { level: 6, mtime: new Date(1980, 0, 1) });
    },
  };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? '');
