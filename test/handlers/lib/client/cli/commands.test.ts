import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../../../../lib/client/cli/cli.ts';
import type { Io } from '../../../../../lib/client/cli/io.ts';
import { ShareClient } from '../../../../../lib/client/share.ts';
import { type HandlerServer, startHandlers } from '../../../../system/lib/client/server.ts';

let service: HandlerServer;
let client: ShareClient;
let folder: string;
beforeAll(async () => {
  service = await startHandlers();
  client = new ShareClient({ apiUrl: service.url });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commands-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});
afterAll(() => service?.close());

const text = 'a secret';
const passphrase = 'correct horse';

/** Runs a command at a terminal, where a person gives the replies in order. */
async function atTerminal(args: readonly string[], replies: string[] = [], more: Partial<Io> = {}) {
  const shown = { code: 0, out: '', err: '', asked: [] as string[], left: replies };
  const reply = async (question: string) => {
    shown.asked.push(question);
    return replies.shift() ?? '';
  };
  const own: Io = {
    env: { VOUCHSAFE_URL: service.url },
    stdin: Readable.from([Buffer.from(text)]),
    out: async (content) => {
      shown.out += content;
    },
    outIsTerminal: true,
    say: (said) => {
      shown.err += said;
    },
    sayIsTerminal: true,
    onInterrupt: () => () => {},
    terminal: { ask: reply, askSecret: reply },
  };
  shown.code = await runCommand(args, Object.assign(own, more), '0.0.0');
  return shown;
}

describe('a file of a stranger', () => {
  const opened = async (name: string) => {
    const { link } = await client.create({ files: [{ name, bytes: Uint8Array.of(1) }] });
    const target = join(folder, 'target');
    const { code } = await atTerminal(['open', link, '--output', target]);
    return { code, names: await readdir(target) };
  };

  test('does not become the settings of a program', async () => {
    expect(await opened('.bash_profile')).toEqual({ code: 0, names: ['_.bash_profile'] });
  });
});

describe('standard input', () => {
  const shared = async (bytes: Buffer) => {
    const { out } = await atTerminal(['share'], [], { stdin: Readable.from([bytes]) });
    return client.open(out.trim());
  };

  test('in UTF-8 with a byte order mark is shared as the text without it', async () => {
    expect(await shared(Buffer.from(`\uFEFF${text}`))).toMatchObject({ kind: 'text', text });
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
  ])('in %s is shared as a file, byte for byte', async (_, bytes) => {
    const opened = await shared(bytes);
    expect(opened.kind === 'files' && Buffer.from(opened.files[0]?.bytes ?? [])).toEqual(bytes);
  });
});

describe('at a terminal', () => {
  test('a new passphrase is asked for twice, until both are the same', async () => {
    const ran = await atTerminal(['share', '--passphrase'], [passphrase, 'typo', passphrase, passphrase]);
    expect([ran.code, ran.left]).toEqual([0, []]);
    expect(ran.err).toContain('The passphrases differ');
    expect(ran.err).toContain('Send the passphrase separately from the link.');
    expect(await client.open(ran.out.trim(), { passphrase })).toMatchObject({ text });
  });

  test('a wrong passphrase is asked for again, and nothing is used up', async () => {
    const { link } = await client.create({ text }, { passphrase });
    const ran = await atTerminal(['open', link, '--output', folder], ['wrong', passphrase]);
    expect([ran.code, ran.out]).toEqual([0, `${text}\n`]);
    expect(ran.err).toBe('The passphrase is wrong. The share is as it was; try again.\n');
  });

  test('a burn is confirmed, and anything but yes burns nothing', async () => {
    const { receiptLink = '' } = await client.create({ text }, { receipt: true });
    for (const reply of ['', 'n', 'yesterday']) {
      expect((await atTerminal(['burn', receiptLink], [reply])).err).toContain('Nothing was burned.');
    }
    expect((await client.receipt(receiptLink)).status).toBe('stored');
    expect((await atTerminal(['burn', receiptLink], ['y'])).out).toMatch(
      /^Burned at .*before anyone opened it/,
    );
  });

  test('text cannot control the terminal, and is kept as it is in a file', async () => {
    const evil = 'line\r\n\tindented \u001b]0;title\u0007 \u202Ereversed';
    const { link } = await client.create({ text: evil });
    const ran = await atTerminal(['open', link, '--output', folder]);
    expect(ran.out).toBe('line\n\tindented \uFFFD]0;title\uFFFD \uFFFDreversed\n');
    const path = /the exact text is in (\S+)\.\n/.exec(ran.err)?.[1] ?? '';
    expect(await readFile(path, 'utf8')).toBe(evil);
  });

  test('a service that lies cannot control the terminal', async () => {
    const time = '\u001b[2J\u001b[1;1HFALSE';
    const receipt = {
      status: 'opened',
      views: 1,
      max_views: 1,
      first_opened_at: time,
      last_opened_at: time,
      created_at: time,
      expires_at: time,
      burned_at: null,
    };
    service.fault = () => ({ status: 200, body: JSON.stringify(receipt) });
    const link = `${service.url}/s/${'a'.repeat(23)}#rvsr_${'A'.repeat(22)}`;
    const shown = await atTerminal(['receipt', link]);
    // A header may have C1 control characters, of which 9B begins a command to the terminal.
    const headers = { 'x-audit-id': '\u009b2Jid' };
    service.fault = () => ({ status: 500, body: '{}', headers });
    const failed = await atTerminal(['receipt', link]);
    service.fault = () => undefined;
    expect([shown.code, failed.code]).toEqual([0, 1]);
    expect(shown.out + failed.err).toContain('\uFFFD');
    expect(shown.out + failed.err).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
