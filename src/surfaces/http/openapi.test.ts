import { beforeEach, expect, test } from 'vitest';
import { createOpenApi } from './openapi.js';
import { routes } from './routes/index.js';

let document: any;
let operations: { readonly path: string; readonly method: string; readonly operation: any }[];
beforeEach(() => {
  document = JSON.parse(JSON.stringify(createOpenApi(routes)));
  operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
});

/** Every `$ref` in a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : references(member)));
}

test('R-rest: OpenAPI 3.1 with every route in it, once', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('R-rest: every reference resolves, and none points inside a schema', () => {
  const all = references(document);
  expect(all.length).toBeGreaterThan(30);
  for (const reference of all) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1)!);
  }
  expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema/);
});

test('R-rest: parameters of the path are all described; security, success and problems too', () => {
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter: any) => parameter.in === 'path');
    expect(inPath.map((parameter: any) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    for (const parameter of inPath) expect(parameter.required).toBe(true);
    for (const parameter of operation.parameters) expect(parameter.schema).toBeDefined();
    expect(Object.keys(operation.responses)[0]).toMatch(/^2\d\d$/);
    expect(operation.responses.default.content['application/problem+json']).toBeDefined();
    const { none, session } = Object(operation['x-helve-permissions']) as { none?: string; session?: string };
    expect(operation.security).toHaveLength(none !== undefined ? 0 : session !== undefined ? 1 : 2);
  }
});

test('R-rest: the success status is 204 only without a reply, and an open route says why it is open', () => {
  const successOf = (method: string, path: string) => Object.keys(document.paths[path][method].responses)[0];
  expect(successOf('get', '/api/policies')).toBe('200');
  expect(successOf('get', '/api/audit/export')).toBe('200');
  expect(successOf('post', '/api/agents')).toBe('201');
  expect(successOf('delete', '/api/credentials/{id}')).toBe('204');
  expect(document.paths['/health'].get.description).toMatch(/^Permission: none: \w/);
});

test('R-rest: replies, streams and refusals are described where they can come', () => {
  const typesOf = (response: any) => Object.keys(response.content ?? {});
  const successOf = (method: string, path: string) => typesOf(Object.values(document.paths[path][method].responses)[0]);
  expect(successOf('get', '/api/policies')).toEqual(['application/json']);
  expect(successOf('get', '/api/audit/export')).toEqual(['application/x-ndjson']);
  expect(successOf('post', '/api/tools/execute')).toEqual(['application/json', 'text/event-stream']);
  expect(successOf('delete', '/api/credentials/{id}')).toEqual([]);
  const refusalOf = (method: string, path: string) => typesOf(document.paths[path][method].responses.default);
  expect(refusalOf('post', '/api/tools/execute')).toEqual(['application/problem+json', 'application/json']);
  expect(refusalOf('get', '/api/policies')).toEqual(['application/problem+json']);
  const unavailable = operations.filter(({ operation }) => operation.responses['503']);
  expect(unavailable.map(({ path }) => path)).toEqual(['/health', '/ready']);
});

test('R-rest: optional fields and limits are described', () => {
  const audit = document.paths['/api/audit'].get.parameters;
  expect(audit.find((parameter: any) => parameter.name === 'limit')).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 500 },
  });
  expect(document.paths['/api/tools/access'].get.parameters[0]).toMatchObject({ name: 'tool', required: true });
  expect(document.components.schemas.ExecuteRequest).toMatchObject({ required: ['tool'], additionalProperties: false });
});
