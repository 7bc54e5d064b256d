/**
 * The forms in which a planted secret is repeated and searched for. Written independently of the code that removes secrets, so
 * that a shared mistake cannot hide a leak.
 */
export interface Form {
  readonly name: string;
  readonly text: string;
}

export function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const letters = Array.from(secret);
  return [
    { name: 'raw', text: secret },
    ...[0, 1, 2].map((pad) => ({ name: `base64 at ${pad}`, text: inner(bytes, pad) })),
    { name: 'base64url', text: inner(bytes, 0).replace(/\+/g, '-').replace(/\//g, '_') },
    { name: 'hex', text: hex },
    { name: 'HEX', text: hex.toUpperCase() },
    { name: 'url', text: encodeURIComponent(secret) },
    { name: 'url twice', text: encodeURIComponent(encodeURIComponent(secret)) },
    { name: 'url, every letter', text: hex.replace(/../g, '%$&') },
    { name: 'json \\u', text: letters.map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('') },
    { name: 'html decimal', text: letters.map((one) => `&#${one.charCodeAt(0)};`).join('') },
    { name: 'html hexadecimal', text: letters.map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join('') },
    { name: 'reversed', text: letters.toReversed().join('') },
    { name: 'spaced', text: letters.join(' ') },
    { name: 'wrapped base64', text: bytes.toString('base64').replace(/.{20}/g, '$&\n') },
  ];
}

/** The letters of a base64 text that depend only on the secret, at any position in a longer text. */
function inner(bytes: Buffer, pad: number): string {
  const text = Buffer.concat([Buffer.alloc(pad, 0x78), bytes, Buffer.alloc(3 - ((pad + bytes.length) % 3), 0x78)]);
  const encoded = text.toString('base64');
  const first = Math.ceil((pad * 4) / 3);
  const last = Math.floor(((pad + bytes.length) * 4) / 3);
  return encoded.slice(first, last);
}

export interface Hit {
  readonly secret: string;
  readonly form: string;
  readonly place: string;
}

/** Finds a secret in a text, in any form. JSON may have escaped the characters of a form. */
export function hitsIn(place: string, text: string, secrets: Readonly<Record<string, string>>): Hit[] {
  const unescaped = text.replace(/\\\\/g, '\\').replace(/\\n/g, '\n').replace(/\\"/g, '"').replace(/\\\//g, '/');
  const hits: Hit[] = [];
  for (const [secret, value] of Object.entries(secrets)) {
    for (const { name, text: form } of formsOf(value))
      if (text.includes(form) || unescaped.includes(form)) hits.push({ secret, form: name, place });
  }
  return hits;
}
