import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { ShareClient } from '../../../../../lib/client/share.ts';
import { type Consumer, installClient } from '../install.ts';
import { type HandlerServer, startHandlers } from '../server.ts';
import { installedProgram, programHere } from './program.ts';

let consumer: Consumer;
let service: HandlerServer;
/** The installed program is tested for the parts of the process: streams, signals, exit code. */
let runInstalled: ReturnType<typeof installedProgram>;
let run: ReturnType<typeof programHere>;
let folder: string;
beforeAll(async () => {
  [consumer, service] = await Promise.all([installClient(), startHandlers()]);
  runInstalled = installedProgram(consumer, service.url);
  run = programHere(service.url);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterEach(async () => {
  service.fault = () => undefined;
  service.taken();
  await rm(folder, { recursive: true });
});
afterAll(() => service?.close());

const text = 'Grüße 🔑\n';

/** Shares with the program and returns its links. */
async function shared(args: readonly string[] = [], input: string | Uint8Array = text, env = {}) {
  const { code, out, err } = await run(['share', '--json', ...args], { input, env });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as { link: string; receiptLink: string; shareId: string; expiresAt: string };
}
const views = async (receiptLink: string) =>
  (await new ShareClient({ apiUrl: service.url }).receipt(receiptLink)).views;
/** Starts the program, which the test can interrupt. */
const start = (args: readonly string[]) =>
  spawn(process.execPath, [join(consumer.installed, 'dist/cli.js'), ...args], {
    env: { PATH: process.env.PATH },
    detached: true,
  });

describe('share', () => {
  test('reads standard input, prints the link alone to standard output, and the rest to standard error', async () => {
    const { code, out, err } = await runInstalled(['share'], { input: text });
    expect(code).toBe(0);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]{23}#k[\w-]{43}\n$/);
    expect(err).toMatch(/^It can be opened once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m);
    expect(err).toMatch(/^Receipt link, for you alone: http\S+#rvsr_[\w-]{22}$/m);
    expect(err).not.toContain(out.trim().split('#')[1]);
    expect(await runInstalled(['open', out.trim()])).toEqual({ code: 0, out: text, err: '' });
  });

  test.each([
    ['a file that does not exist', () => [join(folder, 'absent')], 1, /There is no file ".*absent"/],
    ['a folder', () => [folder], 1, /is a folder; put it into an archive first/],
    ['a file beside standard input', () => ['-', 'cli.js'], 2, /cannot be shared together/],
    ['--once and --views', () => ['--once', '--views', '2'], 2, /either --once or --views/],
    ['an unknown option', () => ['--once', '--frobnicate'], 2, /--frobnicate/],
    ['a passphrase without a terminal', () => ['--passphrase'], 2, /--passphrase-file/],
  ])('refuses %s in one sentence, and sends nothing', async (_name, args, code, message) => {
    const ran = await run(['share', ...args()], { input: text });
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toMatch(message);
    expect(ran.err.trim().split('\n')).toHaveLength(1);
    expect(service.taken()).toEqual([]);
  });

  test('refuses empty input, and more than a share holds from a file, several, and a pipe', async () => {
    expect((await runInstalled(['share'])).err).toContain('standard input is empty');
    const large = randomBytes(1_048_561);
    await writeFile(join(folder, 'large'), large);
    await writeFile(join(folder, 'half'), large.subarray(0, 524_281));
    const half = join(folder, 'half');
    const whole = join(folder, 'large');
    for (const ran of [
      await run(['share', whole]),
      await run(['share', half, half]),
      await runInstalled(['share'], { input: large }),
      await run(['share', '/dev/zero']),
    ]) {
      expect([ran.code, ran.out]).toEqual([1, '']);
      expect(ran.err).toMatch(/more than the 1048560 bytes.*Compress it/);
    }
    expect(service.taken()).toEqual([]);
  });
});

describe('open', () => {
  test('writes files of the largest size, several of them, with their names, for their owner alone', async () => {
    const large = randomBytes(1_040_000);
    await writeFile(join(folder, 'large.bin'), large);
    await writeFile(join(folder, 'Grüße.txt'), 'note');
    const { link } = await shared([join(folder, 'large.bin'), join(folder, 'Grüße.txt')]);
    const target = join(folder, 'new', 'deeper');
    const { code, out, err } = await runInstalled(['open', link, '--output', target]);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain(`${join(target, 'large.bin')} (1.0 MB)\n`);
    expect((await readdir(target)).sort()).toEqual(['Grüße.txt', 'large.bin']);
    expect(Buffer.compare(await readFile(join(target, 'large.bin')), large)).toBe(0);
    expect((await stat(join(target, 'large.bin'))).mode & 0o777).toBe(0o600);
  });

  test('overwrites nothing, follows no symbolic link, and takes another name', async () => {
    const outside = join(folder, 'outside');
    const target = join(folder, 'target');
    await mkdir(target);
    await writeFile(outside, 'kept');
    await writeFile(join(target, 'a.txt'), 'kept');
    await symlink(outside, join(target, 'a (2).txt'));
    await writeFile(join(folder, 'a.txt'), 'new');
    const { link } = await shared([join(folder, 'a.txt'), join(folder, 'a.txt')]);
    expect((await run(['open', link, '--output', target])).code).toBe(0);
    const contents = async (name: string) => readFile(join(target, name), 'utf8');
    expect(await readFile(outside, 'utf8')).toBe('kept');
    expect(await contents('a.txt')).toBe('kept');
    expect([await contents('a (3).txt'), await contents('a (4).txt')]).toEqual(['new', 'new']);
  });

  test('writes a file of a stranger nowhere but into the folder', async () => {
    const name = '../../..\\up/\u001b[2J../evil\u202E.sh';
    const client = new ShareClient({ apiUrl: service.url });
    const { link } = await client.create({ files: [{ name, bytes: Uint8Array.of(1) }] });
    const { code, err } = await run(['open', link, '--output', join(folder, 'target')]);
    expect(code).toBe(0);
    expect(await readdir(folder)).toEqual(['target']);
    expect(await readdir(join(folder, 'target'))).toEqual(['evil.sh']);
    expect(err).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  test('keeps files in a temporary folder when theirs has gone after the opening', async () => {
    await writeFile(join(folder, 'a.txt'), 'new');
    const { link } = await shared([join(folder, 'a.txt')]);
    const target = join(folder, 'target');
    await mkdir(target);
    const path = join(target, 'a.txt');
    // The folder goes away while the answer is on its way.
    service.fault = ({ method }) => {
      if (method === 'GET') rmSync(target, { recursive: true });
      return undefined;
    };
    const ran = await runInstalled(['open', link, '--output', target], { env: { TMPDIR: folder } });
    expect([ran.code, existsSync(path)]).toEqual([1, false]);
    const rescued = /temporary folder: (\S+)/.exec(ran.err)?.[1] ?? '';
    expect(rescued).toMatch(new RegExp(`^${folder}/vouchsafe-\\w+/a\\.txt$`));
    expect(await readFile(rescued, 'utf8')).toBe('new');
  });
});

describe('a passphrase', () => {
  const passphrase = 'correct horse';

  test('comes from a file or the environment, and a wrong one uses nothing up', async () => {
    const file = join(folder, 'passphrase');
    await writeFile(file, `${passphrase}\n`);
    const { link, receiptLink } = await shared(['--passphrase-file', file]);
    expect(link).toContain('#p');

    const wrong = await run(['open', link], { env: { VOUCHSAFE_PASSPHRASE: 'wrong' } });
    expect([wrong.code, wrong.out]).toEqual([1, '']);
    expect(wrong.err).toContain('The passphrase is wrong. The share is as it was');
    const none = await run(['open', link]);
    expect([none.code, none.out]).toEqual([2, '']);
    expect(none.err).toContain('--passphrase-file or VOUCHSAFE_PASSPHRASE');
    expect(await views(receiptLink)).toBe(0);

    const env = { VOUCHSAFE_PASSPHRASE: passphrase };
    expect(await runInstalled(['open', link], { env })).toEqual({ code: 0, out: text, err: '' });
  });
});

describe('an answer that does not arrive', () => {
  test('because of Ctrl-C waits for the content, which nobody could get again', async () => {
    const { link, receiptLink } = await shared();
    const child = start(['open', link]);
    service.fault = () => {
      child.kill('SIGINT');
      return undefined;
    };
    const [[exit, signal], out, err] = await Promise.all([
      once(child, 'close'),
      read(child.stdout),
      read(child.stderr),
    ]);
    expect(err).toContain('Press Ctrl-C again to give up');
    expect([exit, signal, out]).toEqual([0, null, text]);
    service.fault = () => undefined;
    expect(await views(receiptLink)).toBe(1);
  });
});
