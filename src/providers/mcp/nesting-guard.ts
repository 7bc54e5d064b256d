/**
 * Measures the nesting of JSON while its bytes arrive, before any parser sees them: parsers and validators recurse, and
 * a few megabytes of `[` would crash the process or the request's reader. Strings are skipped; chunks may end anywhere.
 */
export interface NestingGuard {
  /** Returns false once the message is nested deeper than allowed. */
  take(bytes: Uint8Array): boolean;
  /** Call before the first byte of a new message. */
  reset(): void;
}

const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns a guard for messages of at most `maxLevels` levels. */
export function createNestingGuard(maxLevels: number): NestingGuard {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    take(bytes) {
      for (const byte of bytes) {
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inString = false;
        } else if (byte === quote) inString = true;
        else if (byte === openingBracket || byte === openingBrace) {
          if (++depth > maxLevels) return false;
        } else if (byte === closingBracket || byte === closingBrace) depth = Math.max(0, depth - 1);
      }
      return true;
    },
    reset() {
      depth = 0;
      inString = false;
      escaped = false;
    },
  };
}
