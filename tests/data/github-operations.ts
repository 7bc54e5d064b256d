/** The inputs of GitHub's operations, from the part of its document that is in the repository. */
import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/domain/json.js';

const document = JSON.parse(readFileSync(new URL('github-openapi.json', import.meta.url), 'utf8'));

/** With what it refers to in its place; none of it refers to itself. */
function resolved(value: any): any {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string')
    return resolved(
      value.$ref
        .slice(2)
        .split('/')
        .reduce((at: any, name: string) => at[name], document),
    );
  if (Array.isArray(value)) return value.map(resolved);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]));
}

export function githubOperations(): { readonly id: string; readonly schema: JsonSchema }[] {
  return Object.values<object>(document.paths).flatMap((path) =>
    Object.values(path).map((operation: any) => {
      const parameters: any[] = resolved(operation.parameters ?? []);
      const body = resolved(operation.requestBody?.content?.['application/json']?.schema);
      const inPlaces = parameters.map(({ name, schema, description }) => [name, { ...schema, description }]);
      const properties = Object.fromEntries(body ? [...inPlaces, ['body', body]] : inPlaces);
      const required = parameters.filter((one) => one.required).map(({ name }) => name);
      return { id: operation.operationId, schema: { type: 'object', properties, required } };
    }),
  );
}
