/** OAuth 2.0 grants without a browser (RFC 6749, 4.3 and 4.4): exchanges the fields of a connection for a short-lived token. */
import type { ExchangeContext, ExchangedToken } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { readTokenAnswer } from '../../util/token-answer.js';

type Form = readonly (readonly [name: string, value: string])[];
type Exchange = (context: ExchangeContext) => Promise<ExchangedToken>;

export const clientCredentials =
  (tokenUrl: string): Exchange =>
  (context) =>
    requestToken(tokenUrl, [['grant_type', 'client_credentials']], context);

export const passwordGrant =
  (tokenUrl: string): Exchange =>
  (context) => {
    const { username = '', password = '' } = context.fields;
    return requestToken(
      tokenUrl,
      [
        ['grant_type', 'password'],
        ['username', username],
        ['password', password],
      ],
      context,
    );
  };

/** The client sends its credentials in a header, as every server must support; servers that need them in the body are asked again. */
async function requestToken(tokenUrl: string, form: Form, context: ExchangeContext): Promise<ExchangedToken> {
  const { client_id: id = '', client_secret: secret = '' } = context.fields;
  const scoped: Form = context.scopes.length > 0 ? [...form, ['scope', context.scopes.join(' ')]] : form;
  if (id === '') return ask(tokenUrl, scoped, {}, context);
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  try {
    return await ask(tokenUrl, scoped, { authorization: `Basic ${basic}` }, context);
  } catch (error) {
    if (!(error instanceof HelveError) || !['invalid_input', 'forbidden'].includes(error.code)) throw error;
    return ask(tokenUrl, [...scoped, ['client_id', id], ['client_secret', secret]], {}, context);
  }
}

async function ask(
  tokenUrl: string,
  form: Form,
  headers: Record<string, string>,
  { service }: ExchangeContext,
): Promise<ExchangedToken> {
  const answer = await service.json({
    method: 'POST',
    path: tokenUrl,
    headers: { accept: 'application/json', ...headers },
    form,
    repeatable: true,
  });
  return readTokenAnswer(answer, tokenUrl);
}
