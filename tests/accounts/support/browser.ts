/** The parts of a browser that a sign-in needs: it follows redirects, continues from our page before a sign-in, and stores each host's cookies. */
export interface TestBrowser {
  /** Sends the form of a page, and follows redirects. */
  submit(url: string, fields: Record<string, string>): Promise<{ url: string; response: Response | undefined }>;
  /** Follows redirects until `until` matches an address, which is then not fetched, or until there are none. */
  go(url: string, until?: RegExp): Promise<{ url: string; response: Response | undefined }>;
  cookies(url: string): string;
  forget(): void;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response> | Response;

export function createBrowser(fetchOf: (url: URL) => Fetch = () => fetch): TestBrowser {
  const jar = new Map<string, Map<string, { value: string; path: string }>>();

  function keep(url: URL, response: Response): void {
    const cookies = jar.get(url.host) ?? new Map();
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const cut = pair.indexOf('=');
      const path =
        attributes
          .map((one) => one.trim())
          .find((one) => /^path=/i.test(one))
          ?.slice(5) ?? '/';
      cookies.set(pair.slice(0, cut), { value: pair.slice(cut + 1), path });
    }
    jar.set(url.host, cookies);
  }

  const browser: TestBrowser = {
    cookies(address) {
      const url = new URL(address);
      return [...(jar.get(url.host) ?? [])]
        .filter(
          ([, { path }]) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')) || path === '/',
        )
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ');
    },
    forget: () => jar.clear(),
    go: (start, until) => follow(new URL(start), until),
    submit: (url, fields) => follow(new URL(url), undefined, new URLSearchParams(fields)),
  };
  return browser;

  async function follow(start: URL, until: RegExp | undefined, form?: URLSearchParams) {
    let url = start;
    let body = form;
    for (let hop = 0; hop < 20; hop++) {
      if (until?.test(url.href)) return { url: url.href, response: undefined };
      const cookie = browser.cookies(url.href);
      const response = await fetchOf(url)(url.href, {
        redirect: 'manual',
        headers: {
          host: url.host,
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { origin: url.origin }),
        },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      keep(url, response);
      const isPost = body !== undefined;
      body = undefined;
      if (response.status === 200 && !isPost && url.pathname.startsWith('/connect/')) {
        // Our page that says who asks: its button continues.
        body = new URLSearchParams();
        continue;
      }
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status > 399) return { url: url.href, response };
      url = new URL(location, url);
    }
    throw new Error('Too many redirects');
  }
}
