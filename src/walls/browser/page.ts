/** One page: opened, given time to run its scripts, and read. */
import { HelveError } from '../../domain/errors.js';
import type { Facts, Protocol, Session } from './protocol.js';

export interface OpenPage {
  readonly session: Session;
  /** Status of the displayed document; 0 if it had none. */
  readonly status: number;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A page that never finishes loading is read after this time. */
const settleMs = 15_000;
const defaultWaitMs = 300;
const maxHtml = 8 * 1024 * 1024;

export async function openPage(
  protocol: Protocol,
  request: { readonly url: string; readonly waitMs?: number | undefined; readonly viewport: Viewport },
): Promise<OpenPage> {
  await protocol.send('Browser.setDownloadBehavior', { behavior: 'deny' });
  const { targetId } = await protocol.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await protocol.send('Target.attachToTarget', { targetId, flatten: true });
  const session = protocol.attach(String(sessionId));
  let status = 0;
  const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()));
  session.on('Network.responseReceived', ({ type, response }: Facts) => {
    if (type === 'Document' && status === 0) status = (response as { status: number }).status;
  });
  // A dialog would block the page forever.
  session.on('Page.javascriptDialogOpening', () => {
    session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
  });
  await Promise.all([session.send('Page.enable'), session.send('Network.enable')]);
  await session.send('Emulation.setDeviceMetricsOverride', {
    ...request.viewport,
    deviceScaleFactor: 1,
    mobile: false,
  });

  const { errorText } = await session.send('Page.navigate', { url: request.url });
  if (errorText) throw new HelveError('upstream_failed', `${new URL(request.url).host}: ${errorText}`);
  await Promise.race([loaded, pause(settleMs)]);
  await pause(request.waitMs ?? defaultWaitMs);
  return { session, status };
}

/** Returns the page's present address, title and HTML. Throws `too_large`. */
export async function readPage(session: Session): Promise<{ url: string; title: string; html: string }> {
  const expression = `(() => {
    const html = document.documentElement ? document.documentElement.outerHTML : '';
    return { url: location.href, title: document.title, size: html.length, html: html.length > ${maxHtml} ? '' : html };
  })()`;
  const value = await evaluate<{ url: string; title: string; size: number; html: string }>(session, expression);
  if (value.size > maxHtml) throw new HelveError('too_large', `The page has ${value.size} characters`);
  return value;
}

export async function getTitle(session: Session): Promise<{ url: string; title: string }> {
  return evaluate(session, '({ url: location.href, title: document.title })');
}

interface Picture {
  readonly png: Buffer;
  /** Whether the page goes on below the picture although the whole page was asked for. */
  readonly cut: boolean;
}

/** Takes a picture of the window or, with `fullPage`, of the page, of which it shows at most the first 16,000 pixels. */
export async function capture(session: Session, viewport: Viewport, fullPage: boolean): Promise<Picture> {
  const maxHeight = 16_000;
  let clip = {};
  let cut = false;
  if (fullPage) {
    const { cssContentSize } = (await session.send('Page.getLayoutMetrics')) as {
      cssContentSize: { height: number };
    };
    const wanted = Math.max(viewport.height, Math.ceil(cssContentSize.height));
    const height = Math.min(wanted, maxHeight);
    cut = wanted > height;
    clip = { captureBeyondViewport: true, clip: { x: 0, y: 0, width: viewport.width, height, scale: 1 } };
  }
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', ...clip });
  return { png: Buffer.from(data as string, 'base64'), cut };
}

async function evaluate<T>(session: Session, expression: string): Promise<T> {
  // An isolated world: the page's scripts cannot change what `document` means there.
  const { frameTree } = (await session.send('Page.getFrameTree')) as {
    frameTree: { frame: { id: string } };
  };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const { result } = (await session.send('Runtime.evaluate', {
    expression,
    contextId: executionContextId,
    returnByValue: true,
  })) as { result: { value: T } };
  return result.value;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
