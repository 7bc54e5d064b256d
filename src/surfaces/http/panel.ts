/**
 * The panel's files, under /panel/. Only the files that are in its folder when they are first asked for can be named, so no path
 * leaves the folder. Every other path under /panel/ is a place inside the panel and gets its page. The panel itself asks the
 * REST API with the person's session, so there is nothing to protect here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import type { HttpApp, HttpContext } from './context.js';

/** Requests for the files of the panel begin with this. They are not counted. */
export const panelPath = '/panel/';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  vary: 'accept-encoding',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

type Files = ReadonlyMap<string, string>;

/**
 * `folder`: where the built panel is. Without it, or without the panel in it, /panel/ says how to build it, and / leads to the
 * plain pages instead.
 */
export function addPanel(app: HttpApp, folder: string | undefined): void {
  let found: Files | undefined;
  const findFiles = (): Files | undefined => {
    found ??= folder === undefined ? undefined : listFiles(folder);
    return found;
  };
  const serve = (context: HttpContext): Response => {
    const files = findFiles();
    if (files === undefined) throw notBuilt();
    const name = context.req.path.slice(panelPath.length);
    if (files.has(name)) return sendFile(files, name, context);
    if (name.startsWith('assets/')) throw new HelveError('not_found', 'The panel has no such file');
    return sendFile(files, 'index.html', context);
  };
  app.get('/', (context) => context.redirect(findFiles() === undefined ? '/admin' : panelPath, 302));
  app.get('/panel', (context) => context.redirect(panelPath, 302));
  app.get(`${panelPath}*`, serve);
}

/** Paths below the folder, with slashes, and where each file is. Undefined if there is no panel. */
function listFiles(folder: string): Files | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [relative(folder, path).split(sep).join('/'), path];
    }),
  );
}

function sendFile(files: Files, name: string, context: HttpContext): Response {
  const accepted = (context.req.header('accept-encoding') ?? '').split(',').map((each) => each.trim().split(';')[0]);
  const [encoding, suffix] = encodings.find(([each, end]) => accepted.includes(each) && files.has(name + end)) ?? [
    undefined,
    '',
  ];
  const isHashed = name.startsWith('assets/');
  for (const [key, value] of Object.entries(headers)) context.header(key, value);
  context.header('content-type', types[extname(name)] ?? 'application/octet-stream');
  if (encoding !== undefined) context.header('content-encoding', encoding);
  context.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  return context.body(new Uint8Array(readFileSync(files.get(name + suffix) ?? '')));
}

function notBuilt(): HelveError {
  return new HelveError('not_found', 'The panel has not been built', {
    hint: 'Stop Helve, run npm run build, and start it again. Meanwhile /admin shows calls and approvals.',
  });
}
