/**
 * Collects what a command writes, up to the limit, here or on another machine. The rest is read slowly enough to leave
 * the event loop free, counted and dropped; a command that writes far too much is stopped.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

export interface Collected {
  text(): string;
  dropped(): number;
}

const droppedPerTurn = 1_048_576;
const turnMs = 10;
/** Output beyond this is useless and only costs processor time. */
const maxDropped = 268_435_456;

/** Collects up to `cap` bytes of a stream; calls `onFlood` when far too much was dropped. */
export function collect(stream: Readable, cap: number, onFlood: () => void): Collected {
  const kept: Buffer[] = [];
  let room = cap;
  let dropped = 0;
  let thisTurn = 0;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, room);
    // A copy, so that a few bytes do not keep the whole read buffer alive.
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

/** If the output was cut inside a character, the beginning of that character is omitted. */
function decode(bytes: Buffer, cut: boolean): string {
  return cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
}
