import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statedPassphrase } from '../../../../../lib/client/cli/passphrase.ts';

const folder = mkdtempSync(join(tmpdir(), 'passphrase-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const text = 'Grüße 王';

function stated(bytes: Uint8Array) {
  const file = join(folder, 'passphrase.txt');
  writeFileSync(file, bytes);
  return statedPassphrase({ 'passphrase-file': file }, {});
}

describe('the file of a passphrase', () => {
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark and a line end', Buffer.concat([mark, Buffer.from(`${text}\r\n`)])],
  ])('in %s is the passphrase', async (_, bytes) => {
    expect(await stated(bytes)).toBe(text);
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from('secret', 'utf16le')],
    ['Latin-1', Buffer.from('Grüße', 'latin1')],
  ])('in %s is refused, before anything is shared', async (_, bytes) => {
    await expect(stated(bytes)).rejects.toThrow('is not UTF-8');
  });

  test('with a byte order mark alone is empty', async () => {
    await expect(stated(mark)).rejects.toThrow('is empty');
  });
});
