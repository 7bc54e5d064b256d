/** The client's end of the two pipes that the door reads and writes, as a transport for either SDK. */
import { PassThrough } from 'node:stream';
import { atEnd, type Caller, type RealDoor } from './real-door.js';

interface PipeTransport {
  onmessage?: (message: any) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

export async function overPipes({ door }: RealDoor, { principal }: Caller): Promise<PipeTransport> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = await door.serveStdio(principal, { input, output });
  atEnd(() => connection.close());
  const transport: PipeTransport = {
    async start() {
      let rest = '';
      output.on('data', (chunk) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => void input.end(),
  };
  return transport;
}
