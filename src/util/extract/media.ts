/**
 * Finds the media type of a source: by its first bytes if they are distinctive, else as the caller says, else by its
 * name.
 */
import { HelveError } from '../../domain/errors.js';

export interface Media {
  readonly mediaType: string;
  /** For source code only. */
  readonly language: string | undefined;
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const pptx = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

const mail = 'message/rfc822';

const byExtension: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  pdf: 'application/pdf',
  docx,
  docm: docx,
  xlsx,
  xlsm: xlsx,
  pptx,
  pptm: pptx,
  eml: mail,
  svg: 'image/svg+xml',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  avif: 'image/avif',
};

/** Word on the web names the part document2.xml. */
const mainParts = { 'word/document': docx, 'xl/workbook.xml': xlsx, 'ppt/presentation.xml': pptx };

const languages: Readonly<Record<string, string>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  kt: 'kotlin',
  kts: 'kotlin',
  swift: 'swift',
  scala: 'scala',
  lua: 'lua',
  pl: 'perl',
  r: 'r',
  jl: 'julia',
  sql: 'sql',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  hs: 'haskell',
  ml: 'ocaml',
  clj: 'clojure',
  dart: 'dart',
  zig: 'zig',
  vue: 'vue',
  svelte: 'svelte',
  css: 'css',
  scss: 'css',
  less: 'css',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  xml: 'xml',
  ini: 'ini',
  ps1: 'powershell',
  proto: 'proto',
  graphql: 'graphql',
  tf: 'terraform',
  dockerfile: 'dockerfile',
  makefile: 'makefile',
};

/** Throws `invalid_input` for an unsupported type. */
export function getMedia(path: string, bytes: Uint8Array, given: string | undefined): Media {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const named = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  const language = Object.hasOwn(languages, extension) ? languages[extension] : undefined;
  const mediaType = sniff(path, bytes) ?? given?.split(';')[0]?.trim().toLowerCase() ?? named;
  if (mediaType === undefined) {
    checkText(path, bytes);
    const looksLikeHtml =
      language === undefined && /^\s*<(?:!doctype html|html)\b/i.test(latin(bytes.subarray(0, 500)));
    return { mediaType: looksLikeHtml ? 'text/html' : 'text/plain', language };
  }
  if (isBinary(mediaType)) {
    if (sniff(path, bytes) === undefined && mediaType !== 'image/svg+xml' && !mediaType.startsWith('image/')) {
      throw new HelveError('invalid_input', `${path} is not ${mediaType}: its first bytes are those of another type`);
    }
    return { mediaType, language: undefined };
  }
  if (!/^text\/|^message\/rfc822$|^application\/(?:xhtml\+xml|json|xml|javascript|x-\w+|yaml|toml)$/.test(mediaType)) {
    throw new HelveError('invalid_input', `${mediaType} is not a media type that can be read here`, {
      hint: 'Markdown, HTML, PDF, DOCX, XLSX, PPTX, EML, CSV, source code, plain text and images can.',
    });
  }
  checkText(path, bytes);
  return { mediaType, language: given === undefined || mediaType === 'text/plain' ? language : undefined };
}

export function isImage(path: string): boolean {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) && (byExtension[extension]?.startsWith('image/') ?? false);
}

const isBinary = (mediaType: string): boolean =>
  mediaType.startsWith('image/') || ['application/pdf', docx, xlsx, pptx].includes(mediaType);

const latin = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** The media type of a PDF, DOCX, XLSX, PPTX or EML; undefined for any other file. Throws `invalid_input` for other archives. */
export function findDocument(path: string, bytes: Uint8Array): string | undefined {
  const mediaType = sniff(path, bytes);
  // Only the name tells a message from a text.
  if (mediaType === undefined && /\.eml$/i.test(path) && /^(?:From |[\w-]+:)/.test(latin(bytes.subarray(0, 100))))
    return mail;
  return mediaType?.startsWith('image/') ? undefined : mediaType;
}

function sniff(path: string, bytes: Uint8Array): string | undefined {
  const head = latin(bytes.subarray(0, 1_024));
  // Some programs write lines of their own before the mark; a text about PDF may contain it.
  if (/^\s*%PDF-/.test(head) || (/\.pdf$/i.test(path) && head.includes('%PDF-'))) return 'application/pdf';
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return 'image/webp';
  if (head.startsWith('\xd0\xcf\x11\xe0')) {
    throw new HelveError('invalid_input', `${path} is an encrypted or an old Office document, which cannot be read`, {
      hint: 'Save it without a password as DOCX, XLSX or PPTX.',
    });
  }
  if (!head.startsWith('PK\x03\x04')) return undefined;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The names of its own parts stand at its end, after those of a document in it.
  const [at, mediaType] = Object.entries(mainParts)
    .map(([name, type]) => [whole.lastIndexOf(name), type] as const)
    .reduce((best, other) => (other[0] > best[0] ? other : best));
  if (at >= 0) return mediaType;
  throw new HelveError('invalid_input', `${path} is an archive, and no DOCX, XLSX or PPTX`, {
    hint: 'Save an OpenDocument file as PDF; unpack other archives first.',
  });
}

function checkText(path: string, bytes: Uint8Array): void {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide || !bytes.subarray(0, 8_192).includes(0)) return;
  throw new HelveError('invalid_input', `${path} is neither text nor a kind of document that can be read`, {
    hint: 'Markdown, HTML, PDF, DOCX, XLSX, PPTX, EML, CSV, source code, plain text and images can.',
  });
}
