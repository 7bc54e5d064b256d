/** Renders pages in a real Chromium whose requests all pass the egress wall. */
import { HelveError } from '../../domain/errors.js';
import type { Browser, MachineCheck } from '../../domain/reach.js';
import { parseUrl } from '../../util/parse-url.js';
import { createTurns } from '../../util/turns.js';
import { untilAborted } from '../../util/until-aborted.js';
import type { EgressPolicy } from '../egress/index.js';
import { findChromium, whatToInstall } from './find.js';
import { type Chromium, launchChromium, noStart } from './launch.js';
import { capture, getTitle, type OpenPage, openPage, readPage, type Viewport } from './page.js';
import { type EgressProxy, openProxy } from './proxy.js';

type Render = Parameters<Browser['render']>[0];
type Shot = Parameters<Browser['screenshot']>[0];

export interface BrowserWall {
  render(request: Render, egress: EgressPolicy, signal: AbortSignal): ReturnType<Browser['render']>;
  screenshot(request: Shot, egress: EgressPolicy, signal: AbortSignal): ReturnType<Browser['screenshot']>;
  checks(): Promise<readonly MachineCheck[]>;
  close(): Promise<void>;
}

/** Each is a browser that takes a few hundred megabytes. */
const maxParallel = 2;
const cancelled = 'The call was cancelled';
const startMs = 20_000;

export function createBrowserWall(path: string): BrowserWall {
  const inTurn = createTurns(maxParallel, cancelled);
  const running = new Set<Chromium>();

  async function visit<T>(
    request: { readonly url: string; readonly waitMs?: number; readonly viewport: Viewport },
    egress: EgressPolicy,
    signal: AbortSignal,
    look: (page: OpenPage) => Promise<T>,
  ): Promise<T> {
    const executable = requireChromium(path);
    checkUrl(request.url);
    return inTurn(signal, async () => {
      const proxy = await openProxy(egress);
      const chromium = await launchChromium(executable, proxy.address).catch((thrown: unknown) => {
        proxy.close();
        throw thrown;
      });
      running.add(chromium);
      try {
        return await untilAborted(signal, cancelled, async () => {
          await started(chromium);
          return look(await openPage(chromium.protocol, request));
        });
      } catch (thrown) {
        throw explainRefusal(proxy, request.url) ?? thrown;
      } finally {
        proxy.close();
        await chromium.close();
        running.delete(chromium);
      }
    });
  }

  return {
    render: (request, egress, signal) =>
      visit({ ...request, viewport: { width: 1_280, height: 800 } }, egress, signal, async ({ session, status }) => ({
        ...(await readPage(session)),
        status,
      })),
    screenshot: ({ width, height, fullPage, ...request }, egress, signal) =>
      visit({ ...request, viewport: { width, height } }, egress, signal, async ({ session }) => ({
        ...(await getTitle(session)),
        ...(await capture(session, { width, height }, fullPage)),
      })),
    async checks() {
      const executable = findChromium(path);
      if (executable === undefined) {
        const detail = `none found: take_screenshot is off, fetch_page does not run scripts; ${whatToInstall}`;
        return [{ check: 'browser', ok: false, detail }];
      }
      return [await tryOut(executable)];
    },
    async close() {
      await Promise.all([...running].map((chromium) => chromium.close()));
    },
  };
}

function requireChromium(path: string): string {
  const executable = findChromium(path);
  if (executable !== undefined) return executable;
  throw new HelveError('invalid_config', 'There is no Chromium on the machine that runs Helve', {
    hint: `Tell the operator to ${whatToInstall}.`,
  });
}

function checkUrl(url: string): void {
  if (/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return;
  throw new HelveError('egress_blocked', 'Only http: and https: addresses can be opened', {
    hint: 'Send a complete address, such as https://example.com/page.',
  });
}

/** Resolves when Chromium answers on its pipe; throws the reason if it cannot start. */
async function started(chromium: Chromium): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(noStart(chromium.lastWords())), startMs).unref();
  });
  late.catch(() => undefined);
  await Promise.race([chromium.protocol.send('Browser.getVersion'), late]).catch(() => {
    throw noStart(chromium.lastWords());
  });
}

async function tryOut(executable: string): Promise<MachineCheck> {
  const chromium = await launchChromium(executable, '127.0.0.1:9');
  try {
    await started(chromium);
    return { check: 'browser', ok: true, detail: `${executable}, in its own sandbox` };
  } catch (thrown) {
    const { message, hint } = thrown as HelveError;
    return { check: 'browser', ok: false, detail: `${executable}: ${message}. ${hint ?? ''}`.trim() };
  } finally {
    await chromium.close();
  }
}

/** If the page itself was refused, the wall's reason is better than Chromium's. */
function explainRefusal({ refusals }: EgressProxy, url: string): unknown {
  const { hostname } = new URL(url);
  return refusals.find((thrown) => thrown instanceof HelveError && thrown.message.includes(hostname));
}
