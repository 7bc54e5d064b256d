/** A JSON request as a program makes it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

export async function ask(base: string, route: string, token: string | undefined, body?: unknown): Promise<Reply> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const response = await fetch(new URL(path, base), {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.match(/^application\/(problem\+)?json/);
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
