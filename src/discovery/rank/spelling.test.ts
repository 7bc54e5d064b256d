/** Mistyped words in requests: what they are read as, and what is left alone. With the shipped word vectors. */
import { expect, it } from 'vitest';
import { createToolIndex, type DiscoveredTool } from '../index.js';

const tool = (toolkit: string, name: string, description: string): DiscoveredTool => ({
  id: `${toolkit}/${name}`,
  toolkit,
  toolkitName: toolkit,
  name,
  description,
});
const tools = [
  tool('Plannery', 'create_calendar_event', 'Adds an event to a calendar.'),
  tool('Plannery', 'list_attendees', 'Lists the attendees of an event.'),
  tool('Billwise', 'create_invoice', 'Creates an invoice for a customer.'),
  tool('Billwise', 'list_customers', 'Lists customers.'),
  tool('Chatlio', 'send_message', 'Sends a message to a channel.'),
  tool('Chatlia', 'send_message', 'Sends a message to a channel.'),
  tool('Hidden', 'get_zeppelin', 'Gets a zeppelin.'),
];
const index = await createToolIndex(tools);
const first = (text: string, options = {}) => index.search(text, options).hits[0]?.id;
const readAs = (text: string, options = {}) =>
  Object.fromEntries(index.search(text, options).readAs.map(({ written, read }) => [written, read]));

it('R-tiers: a mistyped word is read as the nearest word that the tools have, and the result says so', () => {
  expect(readAs('add an event to my calender')).toEqual({ calender: 'calendar' });
  expect(first('add an event to my calender')).toBe('Plannery/create_calendar_event');
  expect(readAs('create an invocie for a custmer')).toEqual({ invocie: 'invoice', custmer: 'customer' });
  expect(first('lits the atendees')).toBe('Plannery/list_attendees');
  // Two errors only in a word of eight letters.
  expect(readAs('list the atendes')).toEqual({});
  expect(readAs('list the attandes')).toEqual({ attandes: 'attendees' });
  expect(index.search('create an invoice').readAs).toEqual([]);
});

it('R-tiers: the name of an app may be mistyped; of two that are equally near, neither is chosen silently', () => {
  expect(readAs('create an invoice in Bilwise')).toEqual({ Bilwise: 'Billwise' });
  expect(first('create something in Bilwise')).toBe('Billwise/create_invoice');
  const found = index.search('send a message in Chatlie');
  expect(found.readAs).toHaveLength(1);
  expect(index.search('send a message in Chatlio').readAs).toEqual([]);
});

it('R-tiers: of two words, the one is meant that hands miss so: a letter left out, doubled, or the key beside it', async () => {
  const near = await createToolIndex([
    tool('Pages', 'add_charge', 'Adds a charge.'),
    tool('Pages', 'add_care', 'Adds a care.'),
    tool('Pages', 'get_packet', 'Gets a packet.'),
    tool('Pages', 'get_pocket', 'Gets a pocket.'),
  ]);
  const read = (text: string) => near.search(text).readAs.map((one) => one.read);
  expect(read('add a carge')).toEqual(['charge']);
  expect(read('get the pscket')).toEqual(['packet']);
});

it('R-tiers: the word before an apostrophe is corrected as well', () => {
  expect(readAs("list the custmer's invoices")).toEqual({ "custmer's": "customer's" });
});

it('R-tiers: words that exist, values and quoted words are not corrected', () => {
  expect(readAs('plan the lunch')).toEqual({});
  expect(readAs('create an invoice called "calender"')).toEqual({});
  expect(readAs('send inv0ice 4711 to x-calender')).toEqual({});
});

it('R-grants: no word is read as one that only tools out of reach have', () => {
  const reach = { toolkits: ['Billwise', 'Chatlio'] };
  expect(readAs('get the zepelin')).toEqual({ zepelin: 'zeppelin' });
  expect(readAs('get the zepelin', reach)).toEqual({});
  expect(readAs('send it in Planery')).toEqual({ Planery: 'Plannery' });
  expect(readAs('send it in Planery', reach)).toEqual({});
});

it('R-tiers: the verb that begins a request may lack a letter, also where few tools have it', async () => {
  const files = await createToolIndex([
    tool('Files', 'search_files', 'Finds files by name.'),
    tool('Files', 'write_file', 'Writes a file.'),
    tool('Files', 'list_folders', 'Lists folders.'),
  ]);
  expect(files.search('fid all notes').readAs).toEqual([{ written: 'fid', read: 'find' }]);
  expect(files.search('all notes of fnd').readAs).toEqual([]);
});

it('R-tiers: mistyped words of other languages are read as the words that they are one error away from', () => {
  expect(readAs('storrna la factura')).toEqual({});
  expect(readAs('crea una facttura para el cliente')).toEqual({ facttura: 'invoice' });
  expect(first('erstlele eine Rechnung')).toBe('Billwise/create_invoice');
  // A name, an English word and a value stay.
  expect(readAs('crea la factura de Clientte en invoice para "facttura"')).toEqual({});
});

it('R-tiers: the ending of a file name says little about what to do with the file', async () => {
  const media = await createToolIndex([
    tool('Files', 'move_file', 'Moves a file.'),
    tool('Shell', 'run_command', 'Runs a program.'),
  ]);
  expect(media.search('execute ffmpeg on clip.mov').hits[0]?.id).toBe('Shell/run_command');
});
