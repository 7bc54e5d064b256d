/** The pages for a person: log in, see waiting calls, decide. The plane does all the work. */
import type { Hono } from 'hono';
import { HelveError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/principal.js';
import { type Identify, identify } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { isTellable, toProblem } from '../problem.js';
import { overview } from './admin.js';
import { approvalCard } from './approval.js';
import { addConnectPages } from './connect.js';
import { field, fields } from './form.js';
import { logInPage, pageResponse, problemPage } from './layout.js';
import { addLoginPages, signOut } from './login.js';
import { readRunDecision, runPage } from './run.js';
import { style, stylePath } from './style.js';

export function addPages(app: Hono<HttpEnvironment>, identity: Identify): void {
  const { plane } = identity;
  const page = (show: (context: HttpContext, principal: Principal) => Promise<Response>) => (context: HttpContext) =>
    withPrincipal(context, identity, show);

  app.get(stylePath, (context) => context.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }));
  addLoginPages(app, identity);
  addConnectPages(app, identity);

  app.post(
    '/admin/logout',
    page((context, principal) => signOut(context, identity, principal)),
  );
  app.get(
    '/admin',
    page(async (_context, principal) => {
      const [pending, executions] = await Promise.all([
        plane.approvals(principal, { status: 'pending', limit: 50 }),
        plane.executions(principal, { limit: 25 }),
      ]);
      return pageResponse({ title: 'Overview', principal, content: overview(pending, executions) });
    }),
  );
  app.get(
    '/approvals/:id',
    page(async (context, principal) => {
      const approval = await plane.approval(principal, context.req.param('id') ?? '');
      return pageResponse({ title: 'Approval', principal, content: approvalCard(approval) });
    }),
  );
  app.post(
    '/approvals/:id',
    page(async (context, principal) => {
      const decision = await field(context.req.raw, 'decision');
      if (decision !== 'approved' && decision !== 'rejected') {
        throw new HelveError('invalid_input', 'The decision must be approved or rejected');
      }
      const { id } = await plane.decideApproval(principal, context.req.param('id') ?? '', decision, 'page');
      return context.redirect(`/approvals/${encodeURIComponent(id)}`, 303);
    }),
  );
  app.get(
    '/runs/:id',
    page(async (context, principal) => {
      const run = await plane.getRun(principal, context.req.param('id') ?? '');
      return pageResponse({ title: 'Run', principal, content: runPage(run, principal) });
    }),
  );
  app.post(
    '/runs/:id',
    page(async (context, principal) => {
      const given = await fields(context.req.raw);
      const decision = readRunDecision(given.get('decision') ?? '', given.get('output') ?? '');
      if (decision === undefined) throw new HelveError('invalid_input', 'This is not a decision about a run');
      const { id } = await plane.decideRun(principal, context.req.param('id') ?? '', decision);
      return context.redirect(`/runs/${encodeURIComponent(id)}`, 303);
    }),
  );
}

/** Errors become pages here; those that the visitor must not see go to the application's own handler. */
async function withPrincipal(
  context: HttpContext,
  identity: Identify,
  show: (context: HttpContext, principal: Principal) => Promise<Response>,
): Promise<Response> {
  try {
    return await show(context, await identify(context, identity));
  } catch (error) {
    if (!isTellable(error)) throw error;
    if (error.code !== 'unauthenticated') return problemPage(toProblem(error));
    const { pathname, search } = new URL(context.req.url);
    return logInPage(identity.plane, context.req.method === 'GET' ? pathname + search : undefined);
  }
}
