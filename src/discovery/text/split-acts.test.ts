import { expect, it } from 'vitest';
import { splitActs } from './split-acts.js';

it.each([
  ['create an issue and post it in the channel', ['create an issue', 'post it in the channel']],
  [
    'Find the invoice of May. Then send it to Anna, and archive the old one',
    ['Find the invoice of May', 'send it to Anna', 'archive the old one'],
  ],
  [
    'download the report, upload it to the folder and tell me the size',
    ['download the report', 'upload it to the folder', 'tell me the size'],
  ],
  ['First, list the open tickets. Finally, close ticket 7.', ['First, list the open tickets', 'close ticket 7']],
] as const)('R-tiers: %s', (text, parts) => {
  expect(splitActs(text, undefined)).toEqual(parts);
});

it.each([
  'create an issue about the login and the logout',
  'find or update the contact',
  'list, create, or review bookings',
  'get the name and email of a contact',
  'send the report and the invoice to Anna',
  'add labels and comments',
  'The campaign will start in June. Show me its budget',
  'what is the weather in Paris and Rome?',
  '',
])('R-tiers: one act remains one: %s', (text) => {
  expect(splitActs(text, undefined)).toEqual([]);
});

it.each([
  ['de', 'lege eine Rechnung an und schicke sie an den Kunden', ['lege eine Rechnung an', 'schicke sie an den Kunden']],
  ['es', 'crea la tarea y envía un correo a Luis', ['crea la tarea', 'envía un correo a Luis']],
  ['fr', "crée une facture puis envoie l'e-mail", ['crée une facture', "envoie l'e-mail"]],
  ['pt', 'crie um evento e convide a Ana', ['crie um evento', 'convide a Ana']],
  ['it', 'crea una cartella e carica il file', ['crea una cartella', 'carica il file']],
  ['nl', 'maak een taak en stuur een bericht', ['maak een taak', 'stuur een bericht']],
  ['zh', '创建任务，然后发送邮件', ['创建任务', '发送邮件']],
  ['ja', 'タスクを作成して、メールを送って', ['タスクを作成して', 'メールを送って']],
] as const)('R-tiers: %s: %s', (language, text, parts) => {
  expect(splitActs(text, language)).toEqual(parts);
});
