/**
 * The transport of 2025-era requests over HTTP. Most calls are one question and one answer, and are
 * answered with one JSON body. A stream is opened only if there is something to send before the
 * answer, if the tool wants to disconnect, or if the answer takes long; from then on the SDK's own
 * transport handles the exchange, including streams and their resumption.
 */
import type {
  AuthInfo,
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { defined } from '../../util/defined.js';
import { writeMessage } from './written-answer.js';

export interface OpenStream {
  readonly response: Response;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Cuts the stream; the client can fetch the rest later. Absent if it could not. */
  disconnect?(): void;
}

export interface Exchanges extends Transport {
  answer(message: JSONRPCRequest, extra: MessageExtraInfo): Promise<Response>;
  /** A message from another transport. */
  deliver(message: JSONRPCMessage, extra?: MessageExtraInfo): void;
  /** Whether this request is being answered. */
  has(id: RequestId): boolean;
  /** Whether any is. */
  readonly isBusy: boolean;
}

interface Exchange {
  readonly request: JSONRPCRequest;
  readonly extra: MessageExtraInfo;
  settle(response: Response): void;
  stream: Promise<OpenStream> | undefined;
  readonly timer: NodeJS.Timeout;
}

export interface ExchangeOptions {
  openStream(request: JSONRPCRequest, extra: MessageExtraInfo): Promise<OpenStream>;
  /** For messages that belong to no exchange: change notifications, and exchanges that were never ours. */
  sendElsewhere(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  onClose(): void;
  /** Whether a stream that is cut can be resumed. */
  readonly resumable: boolean;
  readonly sessionId?: string;
}

/** A client that receives nothing for this long gets a stream that is kept alive. */
const silenceMs = 2_000;

export function createExchanges(options: ExchangeOptions): Exchanges {
  const exchanges = createOpenExchanges(options);
  let closed = false;
  const transport: Exchanges = {
    ...defined({ sessionId: options.sessionId }),
    start: async () => undefined,
    async send(message, sendOptions) {
      const answers = 'result' in message || 'error' in message;
      const id = answers ? message.id : sendOptions?.relatedRequestId;
      const exchange = id === undefined ? undefined : exchanges.find(id);
      if (exchange === undefined) return options.sendElsewhere(message, sendOptions);
      if (answers) exchanges.finish(exchange);
      if (answers && exchange.stream === undefined) return exchange.settle(json(message, exchange.extra.authInfo));
      await (await exchanges.getStream(exchange)).send(message, sendOptions);
    },
    async close() {
      if (closed) return;
      closed = true;
      exchanges.endAll();
      options.onClose();
      transport.onclose?.();
    },
    deliver(message, extra) {
      transport.onmessage?.(message, extra);
      if ('method' in message && message.method === 'notifications/cancelled') {
        exchanges.cancel(message.params?.requestId);
      }
    },
    has: (id) => exchanges.find(id) !== undefined,
    get isBusy() {
      return exchanges.isBusy();
    },
    answer(request, extra) {
      if (exchanges.find(request.id) !== undefined) return Promise.resolve(idInUse(request.id));
      return new Promise((settle) => {
        const exchange = exchanges.begin(request, extra, settle);
        const closeSSEStream = () => exchanges.disconnect(exchange);
        transport.onmessage?.(request, options.resumable ? { ...extra, closeSSEStream } : extra);
      });
    },
  };
  return transport;
}

function createOpenExchanges({ openStream }: ExchangeOptions) {
  const exchanges = new Map<RequestId, Exchange>();

  function getStream(exchange: Exchange): Promise<OpenStream> {
    if (exchange.stream === undefined) {
      clearTimeout(exchange.timer);
      exchange.stream = openStream(exchange.request, exchange.extra);
      exchange.stream.then(
        ({ response }) => exchange.settle(response),
        () => exchange.settle(new Response(null, { status: 500 })),
      );
    }
    return exchange.stream;
  }

  function finish(exchange: Exchange): void {
    exchanges.delete(exchange.request.id);
    clearTimeout(exchange.timer);
  }

  return {
    getStream,
    finish,
    find: (id: RequestId) => exchanges.get(id),
    isBusy: () => exchanges.size > 0,
    begin(request: JSONRPCRequest, extra: MessageExtraInfo, settle: Exchange['settle']): Exchange {
      const timer = setTimeout(() => void getStream(exchange).catch(() => undefined), silenceMs);
      const exchange: Exchange = { request, extra, settle, stream: undefined, timer };
      exchanges.set(request.id, exchange);
      return exchange;
    },
    disconnect(exchange: Exchange): void {
      getStream(exchange).then(
        (stream) => stream.disconnect?.(),
        () => undefined,
      );
    },
    /** The protocol sends nothing for a cancelled request, so its exchange ends here. */
    cancel(id: unknown): void {
      const exchange = exchanges.get(id as RequestId);
      if (exchange === undefined) return;
      finish(exchange);
      if (exchange.stream === undefined) {
        exchange.settle(new Response(null, { status: 202 }));
        return;
      }
      const error = { code: -32_000, message: 'Cancelled' };
      exchange.stream
        .then((stream) => stream.send({ jsonrpc: '2.0', id: exchange.request.id, error }))
        .catch(() => undefined);
    },
    endAll(): void {
      for (const exchange of exchanges.values()) {
        finish(exchange);
        if (exchange.stream === undefined) exchange.settle(new Response(null, { status: 499 }));
      }
    },
  };
}

function json(message: JSONRPCMessage, authInfo: AuthInfo | undefined): Response {
  return new Response(writeMessage(message, authInfo), { headers: { 'content-type': 'application/json' } });
}

function idInUse(id: RequestId): Response {
  const error = { code: -32_600, message: 'A request with this id is still being answered' };
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), {
    status: 400,
    headers: { 'content-type': 'application/json' },
  });
}
