/** Requests written as their service's reference writes them: `GET /repos/{owner}/{repo}/issues`. */
import type { ServiceRequest } from '../domain/service.js';
import type { AuthoredSchema, Infer } from '../domain/tool.js';

/** The names in braces: `owner` and `repo` above. */
export type NamesIn<Request extends string> = Request extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The request of a tool: the names in braces are inputs, and its other inputs are the query or the body. */
export interface InputRequest<Input extends AuthoredSchema, Request extends string> {
  readonly request: Request;
  /** Changes the other inputs before they are sent, or refuses them. */
  parameters?(rest: Omit<Infer<Input>, NamesIn<Request>>): object;
}

export interface FilledRequest {
  readonly method: NonNullable<ServiceRequest['method']>;
  readonly path: string;
  /** The values that the address does not use. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Replaces the names in braces by values. A value stays within its segment: its slashes are encoded. */
export function fillRequest(request: string, values: object): FilledRequest {
  const [method = '', template = ''] = request.split(' ');
  const rest: Record<string, unknown> = { ...values };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined;
    if (value === undefined) throw new Error(`${request}: ${name} is missing`);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { method: method as FilledRequest['method'], path, rest };
}
