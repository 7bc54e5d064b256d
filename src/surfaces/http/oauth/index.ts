/** The routes of the authorization server. The plane makes the decisions; the issuer is the configured address. */
import type { Hono } from 'hono';
import type { OAuthAnswer } from '../../../domain/authorization.js';
import { HelveError } from '../../../domain/errors.js';
import type { Plane } from '../../../domain/plane.js';
import { type Identify, identify, signedIn } from '../authenticate.js';
import { readJson } from '../body.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { logInPage, problemPage } from '../pages/layout.js';
import { isTellable, toProblem } from '../problem.js';
import { consentPage, refusedPage } from './consent-page.js';
import { getIssuer, isDoorName, paths, resourceMetadata, serverMetadata } from './metadata.js';

export { challenge, getIssuer, mcpAddress } from './metadata.js';
export { lacksScope } from './required-scope.js';

const maxFormCharacters = 16 * 1024;

export function addOAuth(
  app: Hono<HttpEnvironment>,
  identity: Identify,
  addressOf: (context: HttpContext) => string,
): void {
  const { plane, publicUrl } = identity;
  const issuer = getIssuer(publicUrl);

  app.get(paths.server, () => Response.json(serverMetadata(issuer)));
  app.get(paths.resource, () => Response.json(resourceMetadata(issuer, undefined)));
  app.get(`${paths.resource}/mcp/:name`, (context) => {
    const name = context.req.param('name');
    if (!isDoorName(name)) throw new HelveError('not_found', 'No agent has this name');
    return Response.json(resourceMetadata(issuer, name));
  });
  app.get(paths.authorize, (context) => asPage(plane, () => begin(context, identity, issuer)));
  app.post(paths.authorize, (context) => asPage(plane, () => decide(context, identity, issuer)));
  app.post(paths.token, async (context) => {
    const form = await readForm(context);
    if (form === undefined) return answer(notAForm);
    return answer(await plane.exchangeToken(form, context.req.header('authorization')));
  });
  app.post(paths.revoke, async (context) => {
    const form = await readForm(context);
    return answer(form === undefined ? notAForm : await plane.revokeToken(form));
  });
  app.post(paths.register, async (context) => {
    const metadata = await readJson(context.req.raw).catch((error: unknown) => error);
    if (metadata instanceof Error) {
      if (!isTellable(metadata)) throw metadata;
      return answer({
        status: 400,
        body: { error: 'invalid_client_metadata', error_description: metadata.message },
      });
    }
    return answer(await plane.registerClient(metadata, addressOf(context)));
  });
}

async function begin(context: HttpContext, identity: Identify, issuer: string): Promise<Response> {
  const { searchParams: query, pathname, search } = new URL(context.req.url);
  const person = await signedIn(context, identity);
  const step = await identity.plane.beginAuthorization(issuer, query, person);
  if (step.kind === 'problem') return refusedPage(step.error, step.message, step.location);
  if (step.kind === 'log_in') return logInPage(identity.plane, pathname + search);
  return consentPage(step.question, person);
}

async function decide(context: HttpContext, identity: Identify, issuer: string): Promise<Response> {
  const person = await identify(context, identity);
  const form = await readForm(context);
  const decision = form?.get('decision');
  if (decision !== 'approved' && decision !== 'rejected')
    throw new HelveError('invalid_input', 'The decision must be approved or rejected');
  const { location } = await identity.plane.decideAuthorization(issuer, person, form?.get('consent') ?? '', decision);
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(location, 303);
}

async function asPage(plane: Plane, show: () => Promise<Response>): Promise<Response> {
  try {
    return await show();
  } catch (error) {
    if (!isTellable(error)) throw error;
    return error.code === 'unauthenticated' ? logInPage(plane) : problemPage(toProblem(error));
  }
}

const notAForm: OAuthAnswer = {
  status: 400,
  body: { error: 'invalid_request', error_description: 'Send application/x-www-form-urlencoded, at most 16 KiB' },
};

async function readForm(context: HttpContext): Promise<URLSearchParams | undefined> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const text = await context.req.text();
  if (type !== 'application/x-www-form-urlencoded' || text.length > maxFormCharacters) return undefined;
  return new URLSearchParams(text);
}

function answer({ status, body }: OAuthAnswer): Response {
  // `no-store` is on every response already; older clients look for this header too.
  const headers = { pragma: 'no-cache', ...(status === 401 ? { 'www-authenticate': 'Basic realm="Helve"' } : {}) };
  return body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
}
