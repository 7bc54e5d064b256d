/** R-handles through MCP: a result that was too long is read on, part by part, only by the same agent. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { houseTools } from './house-tools.js';
import { atEnd, bearer, type Caller, endAll, grantsWithout, openRealDoor, rowsOf, textOf } from './real-door.js';

afterEach(endAll);

const versions = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

async function clientOf(caller: Caller, mode: (typeof versions)[number][1]): Promise<Client> {
  const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: bearer(caller) };
  await client.connect(new StreamableHTTPClientTransport(new URL(caller.address), { requestInit }));
  atEnd(() => client.close());
  await client.listTools();
  return client;
}

interface Part {
  readonly text: string;
  readonly total_characters: number;
  readonly next_offset: number | null;
}

/** As a model would: from one part to the next, until there is none. */
async function readAll(client: Client, handle: string): Promise<string> {
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const answer = await client.callTool({ name: 'result_read', arguments: { handle, offset } });
    const part = answer.structuredContent as unknown as Part;
    expect(answer.isError).not.toBe(true);
    expect(JSON.parse(textOf(answer))).toEqual(part);
    expect(part.next_offset).not.toBe(offset);
    text += part.text;
    offset = part.next_offset;
  }
  return text;
}

describe.each(versions)('R-handles: %s', (version, mode) => {
  const rows = Array.from({ length: 1_000 }, (_unused, index) => ({ id: `${index}`, kind: 'row' }));

  it('R-handles: a long result comes with a handle, and is read on to its end', async () => {
    const real = await openRealDoor({ tools: houseTools });
    const client = await clientOf(real.alice, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const short = await client.callTool({ name: 'rows', arguments: { count: 3 } });
    expect(JSON.parse(textOf(short))).toEqual(rows.slice(0, 3));
    const long = await client.callTool({ name: 'rows', arguments: { count: 1_000 } });
    expect(textOf(long).length).toBeLessThanOrEqual(10_000);
    const handle = /result_read, handle (result_[0-9a-f]{24})/.exec(textOf(long))?.[1] ?? '';
    expect(long._meta).toMatchObject({ handle });
    expect(JSON.parse(await readAll(client, handle))).toEqual(rows);
    const query = '$[?@.id == "777"]';
    const found = await client.callTool({ name: 'result_read', arguments: { handle, query } });
    expect(found.structuredContent).toMatchObject({ text: '[{"id":"777","kind":"row"}]', matches: 1 });
    const reads = (await rowsOf(real, 'execution.finished')).filter(({ tool }) => tool === 'Results.resultRead');
    expect(reads.length).toBeGreaterThan(3);
  });

  it('R-handles: a handle works only for its caller, and only while the grant of the original call allows it', async () => {
    const { helve, alice, bob, outsider } = await openRealDoor({ tools: houseTools });
    const client = await clientOf(alice, mode);
    const long = await client.callTool({ name: 'long', arguments: { length: 20_000 } });
    const read = { name: 'result_read', arguments: { handle: long._meta?.handle } };
    for (const stranger of [bob, outsider]) {
      const refused = await (await clientOf(stranger, mode)).callTool(read);
      expect(refused).toMatchObject({ isError: true, _meta: { code: 'not_found' } });
    }
    expect(await client.callTool(read)).not.toMatchObject({ isError: true });
    await helve.plane.replaceGrants(helve.admin, 'alice', await grantsWithout(helve, 'long'));
    expect(await client.callTool(read)).toMatchObject({ isError: true, _meta: { code: 'not_granted' } });
    await helve.plane.replaceGrants(helve.admin, 'alice', await grantsWithout(helve));
    helve.advance(2 * 60 * 60_000);
    // A session of MCP that nobody has used for two hours has ended, too.
    expect(await (await clientOf(alice, mode)).callTool(read)).toMatchObject({
      isError: true,
      _meta: { code: 'expired' },
    });
  });
});
