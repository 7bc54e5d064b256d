/** The texts of notifications, in Spanish. */
import type { Messages } from './en.js';

export const notificationsEs: Messages['notifications'] = {
  how: 'Elige de qué se te avisa y dónde. Solo se te avisa de lo que puedes ver y decidir. Lo que llega en un minuto es un solo mensaje.',
  noChannels: 'Todavía no hay ningún canal.',
  channelKinds: { email: 'Correo electrónico', slack: 'Slack', webhook: 'Webhook' },
  cannotSend: 'no puede enviar',
  givenUpCount: (count) => `Mensajes abandonados en treinta días: ${count}`,
  tellMe: 'Avísame cuando',
  kinds: {
    approval: 'una llamada espere una decisión',
    account: 'haya que volver a conectar una cuenta',
    definition: 'su autor haya cambiado una herramienta',
    budget: 'un presupuesto esté casi agotado',
  },
  slackMember: 'Tu identificador de miembro en Slack',
  slackCode: (member) => `Código que Slack muestra a ${member}`,
  confirm: 'Confirmar',
  ownMessages: 'Mensajes para ti',
  noMessages: 'Todavía no se te ha enviado nada.',
  channel: 'Canal',
  state: 'Estado',
  messageStates: { gathering: 'se reúne', sending: 'se está enviando', sent: 'enviado', given_up: 'abandonado' },
  removeTakes: 'Se borra lo que cada persona eligió para él y lo que espera a ser enviado. No se puede deshacer.',
  buttonsOn: 'Las llamadas se pueden decidir en sus mensajes, que muestran los argumentos exactos.',
  buttonsOff:
    'Para que las llamadas se puedan decidir en sus mensajes, introduce el secreto de firma de la aplicación de Slack. Los mensajes muestran entonces los argumentos exactos.',
  signingSecret: 'Secreto de firma',
  buttonsAddress: 'La Request URL de la aplicación, que Slack pide en Interactivity:',
  stopButtons: 'Quitar los botones',
  newChannel: 'Canal nuevo',
  webhookAddress: 'Dirección del webhook',
  sendingAccount: 'Cuenta que envía',
};
