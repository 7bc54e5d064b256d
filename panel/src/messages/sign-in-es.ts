/** The texts of sign-in forms, in Spanish. `tests/panel/sign-in-words.test.ts` finds those that are missing. */
import type { SignInWords } from './sign-in-words.js';

export const signInEs: SignInWords = {
  patterns: [
    [/^Sign in with (.+)$/, (app) => `Iniciar sesión con ${app}`],
    [/^API key \((.+)\)$/, (place) => `Clave de API (${place})`],
    [/^The value after “(.+)”$/, (word) => `El valor después de «${word}»`],
    [/^(.+), hosted by Composio$/, (app) => `${app}, alojado por Composio`],
  ],
  texts: {
    'Sign in': 'Iniciar sesión',
    'Add to Slack': 'Añadir a Slack',
    'API key': 'Clave de API',
    'Access token': 'Token de acceso',
    'Access token (XOAUTH2)': 'Token de acceso (XOAUTH2)',
    'Algorithm of the key, e.g. ES256': 'Algoritmo de la clave, p. ej. ES256',
    'App id': 'Id de la aplicación',
    'Bot token': 'Token de bot',
    'Client credentials': 'Credenciales de cliente',
    'Client id': 'Id de cliente',
    'Client secret': 'Secreto de cliente',
    Encryption: 'Cifrado',
    'GitHub App installation': 'Instalación de una GitHub App',
    'Installation id': 'Id de la instalación',
    'Key file': 'Archivo de clave',
    Password: 'Contraseña',
    'Personal access token': 'Token de acceso personal',
    Port: 'Puerto',
    'Private key': 'Clave privada',
    'Private key (PEM, PKCS#8)': 'Clave privada (PEM, PKCS#8)',
    'Secret or restricted key': 'Clave secreta o restringida',
    'Sender address': 'Dirección del remitente',
    'Sender name': 'Nombre del remitente',
    Server: 'Servidor',
    'Service account': 'Cuenta de servicio',
    Token: 'Token',
    'User name': 'Nombre de usuario',
    'User name and password': 'Nombre de usuario y contraseña',
    'User to act as': 'Usuario en cuyo nombre actúa',
    'User token': 'Token de usuario',
    'Your own client': 'Tu propio cliente',
    'A fine-grained or classic personal access token (github.com/settings/tokens).':
      'Un token de acceso personal, detallado o clásico (github.com/settings/tokens).',
    'A personal API key: Settings, Security & access.': 'Una clave de API personal: Settings, Security & access.',
    'All mails come from it; a model cannot choose another':
      'Todos los correos salen de ella; un modelo no puede elegir otra',
    'Default: 587, 465 with tls, 25 with none': 'Por defecto: 587; 465 con tls; 25 con none',
    'E-mail address; needs domain-wide delegation. Gmail has no mailbox without it':
      'Dirección de correo; necesita delegación en todo el dominio. Sin ella, Gmail no tiene buzón',
    'From @BotFather: 123456789:AA…': 'De @BotFather: 123456789:AA…',
    'It is not renewed: use a token that does not expire, or that something else renews':
      'No se renueva: usa un token que no caduque o que renueve otro programa',
    'The App’s id or client id, from its settings page.':
      'El id de la aplicación o su id de cliente, en su página de ajustes.',
    'The number at the end of the address of the installation’s page.':
      'El número al final de la dirección de la página de la instalación.',
    'The whole PEM file that GitHub made for the App.': 'El archivo PEM completo que GitHub creó para la aplicación.',
    'The whole text of the JSON key file': 'El texto completo del archivo de clave JSON',
    'dashboard.stripe.com/apikeys; sk_… or rk_…. A restricted key needs the permissions of what the tools do.':
      'dashboard.stripe.com/apikeys; sk_… o rk_…. Una clave restringida necesita los permisos de lo que hacen las herramientas.',
    'smtp.example.com': 'smtp.example.com',
    'starttls (default), tls, or none, which the operator must allow':
      'starttls (por defecto), tls o none, que el operador debe permitir',
    'xoxb-…: "OAuth & Permissions" on the page of the Slack app.':
      'xoxb-…: «OAuth & Permissions» en la página de la aplicación de Slack.',
    'xoxp-…: acts as the person who installed the Slack app. Searching needs one, with the scope search:read.':
      'xoxp-…: actúa como la persona que instaló la aplicación de Slack. Para buscar hace falta uno, con el permiso search:read.',
  },
};
