/**
 * What a command writes, up to the cap, here or on another machine. The rest is read at a pace that leaves the event loop to others, counted and
 * thrown away; who goes on writing beyond all reason is stopped.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

export interface Collected {
  text(): string;
  dropped(): number;
}

const droppedPerTurn = 1_048_576;
const turnMs = 10;
/** No use to anybody, while it costs a processor. */
const maxDropped = 268_435_456;

export function collect(stream: Readable, cap: number, onFlood: () => void): Collected {
  const kept: Buffer[] = [];
  let room = cap;
  let dropped = 0;
  let thisTurn = 0;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, room);
    // A copy, lest a few bytes keep the whole read buffer.
    if (part.length > 0) kept.push(part.length === chunk.length ? chunk : Buffer.from(part));
    room -= part.length;
    const rest = chunk.length - part.length;
    if (rest === 0) return;
    dropped += rest;
    thisTurn += rest;
    if (dropped > maxDropped) onFlood();
    if (thisTurn < droppedPerTurn) return;
    thisTurn = 0;
    stream.pause();
    setTimeout(() => stream.resume(), turnMs);
  });
  return {
    text: () => decode(Buffer.concat(kept), dropped > 0),
    dropped: () => dropped,
  };
}

/** Where it was cut inside a character, that character's beginning is left out. */
function decode(bytes: Buffer, cut: boolean): string {
  return cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
}
