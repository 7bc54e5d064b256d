/**
 * Decodes pictures, which come from the input only. Their size is checked by their headers before any library opens
 * them, because a file of a kilobyte can expand into gigabytes.
 */
import { inflateSync } from 'node:zlib';
import type { Picture } from './model.js';
import { refuse } from './refuse.js';

const maxBytes = 8 * 1024 * 1024;
const maxPixels = 25_000_000;
const hint = 'Give a whole PNG or JPEG as base64, without a data: prefix.';

export function readPicture(base64: string, place: string): Picture {
  const text = base64.replace(/^data:image\/(?:png|jpeg);base64,/, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) refuse(`${place}.data_base64 is not base64`, hint);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > maxBytes) {
    refuse(
      `${place} is a picture of ${bytes.length} bytes; the maximum is ${maxBytes}`,
      'Make it smaller.',
      'too_large',
    );
  }
  const picture = readPng(bytes, place) ?? readJpeg(bytes, place);
  return picture ?? refuse(`${place}.data_base64 is neither a PNG nor a JPEG`, hint);
}

function checkSize(width: number, height: number, place: string): void {
  if (width < 1 || height < 1) refuse(`${place} is a picture without any pixels`, hint);
  if (width * height <= maxPixels) return;
  refuse(
    `${place} is a picture of ${width} × ${height} pixels; the maximum is ${maxPixels}`,
    'Make it smaller.',
    'too_large',
  );
}

const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Buffer, place: string): Picture | undefined {
  if (bytes.length < 33 || bytes.readUInt32BE(0) !== 0x89504e47 || bytes.toString('latin1', 12, 16) !== 'IHDR') {
    return undefined;
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  checkSize(width, height, place);
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) refuse(`${place} is a PNG that ends too early`, hint);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const row = Math.ceil((width * (samples[bytes.readUInt8(25)] ?? 4) * bytes.readUInt8(24)) / 8) + 1;
  try {
    // Twice, for the seven passes of an interlaced one.
    const pixels = inflateSync(Buffer.concat(parts), { maxOutputLength: row * height * 2 + 1024 });
    if (pixels.length >= row * height - height) return { bytes, type: 'png', width, height };
  } catch {
    // Whatever zlib says of it.
  }
  return refuse(`${place} is a PNG whose pixels do not fit its header`, hint);
}

function readJpeg(bytes: Buffer, place: string): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    // Start of frame: baseline, extended or progressive.
    if (marker >= 0xc0 && marker <= 0xc2) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      checkSize(width, height, place);
      return { bytes, type: 'jpg', width, height };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return refuse(`${place} is a JPEG without a readable header`, hint);
}
