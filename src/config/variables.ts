/** `${NAME}` in `helve.yaml` stands for an environment variable, so that a file in a repository contains no secret. */
import { HelveError } from '../domain/errors.js';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Only in sections where an operator writes secrets: agents and rules are read literally. */
const expanded = ['toolkits', 'models', 'oauth', 'mcp_servers', 'composio', 'sign_in', 'telemetry'];
const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables that the value at `path` refers to. */
export function findReferences(value: unknown, path: readonly (string | number)[]): string[] {
  if (!expanded.includes(String(path[0])) || value === undefined) return [];
  return [...JSON.stringify(value).matchAll(reference)].map(([, name = '']) => name);
}

/** Throws `invalid_config`, naming file, line and key, for a variable that is not set. */
export function expandVariables(
  config: unknown,
  variables: Variables,
  at: (path: readonly (string | number)[]) => string,
): unknown {
  if (typeof config !== 'object' || config === null) return config;
  const visit = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      return value.replace(reference, (_, name: string) => {
        const found = variables[name];
        if (found !== undefined) return found;
        throw new HelveError('invalid_config', `${at(path)}: the environment variable ${name} is not set`);
      });
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member, [...path, key])]));
  };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, expanded.includes(key) ? visit(value, [key]) : value]),
  );
}
