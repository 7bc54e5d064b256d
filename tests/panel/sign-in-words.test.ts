/** The texts of sign-in forms in the panel. */
import { expect, test } from 'vitest';
import { en } from '../../panel/src/messages/en.js';
import { es } from '../../panel/src/messages/es.js';
import { saySignIn } from '../../panel/src/messages/sign-in-words.js';
import { clientCredentialsScheme } from '../../src/providers/mcp/client-credentials.js';
import { nativeToolkits } from '../../src/toolkits/index.js';

test('R-panel: every text of the sign-in forms of bundled apps and MCP servers is there in Spanish', () => {
  const schemes = nativeToolkits.flatMap(({ auth }) => auth?.schemes ?? []);
  const own = clientCredentialsScheme('https://mcp.example', { server: 'https://mcp.example', named: [] });
  const texts = [...schemes, own].flatMap(({ title, fields = [] }) => [
    title,
    ...fields.flatMap((field) => [field.title, ...(field.description === undefined ? [] : [field.description])]),
  ]);
  expect(texts.length).toBeGreaterThan(40);
  expect(texts.filter((text) => saySignIn(es, text) === undefined)).toEqual([]);
  expect(texts.filter((text) => saySignIn(en, text) !== undefined)).toEqual([]);
});

test('R-panel: names of apps are kept, and texts of other apps stay as they are', () => {
  expect(saySignIn(es, 'Sign in with Acme')).toBe('Iniciar sesión con Acme');
  expect(saySignIn(es, 'API key (X-Key) + Access token')).toBe('Clave de API (X-Key) + Token de acceso');
  for (const text of ['Your pet’s name', 'a + b', 'constructor', '']) expect(saySignIn(es, text)).toBeUndefined();
});
