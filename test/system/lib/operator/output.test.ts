/** Output that is closed before its end, as by `| head -1`, or that cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { outputTo } from '../../../../lib/operator/output.ts';

const project = join(import.meta.dirname, '../../../..');

const start = (out: 'pipe' | number) =>
  spawn(process.execPath, ['bin/operator.ts', '--help'], { cwd: project, stdio: ['ignore', out, 'pipe'] });

test('a command whose reader closes the output ends as other tools do, and says nothing', async () => {
  const child = start('pipe');
  child.stdout?.destroy();
  const said = child.stderr && text(child.stderr);
  const [code] = await once(child, 'close');
  expect([code, await said]).toEqual([141, '']);
});

test('a terminal gets no control characters of a page, and a file or a pipe gets its bytes', async () => {
  const page = 'name,url\r\n\u001b[2Jred\r,\u202egpj\u2028\r\n';
  const written = async (isTTY: boolean) => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    await outputTo(stream)(page);
    return String(stream.read());
  };
  expect(await written(true)).toBe('name,url\r\n\uFFFD[2Jred\uFFFD,\uFFFDgpj\uFFFD\r\n');
  expect(await written(false)).toBe(page);
});

test.runIf(existsSync('/dev/full'))('a command whose output is on a full disk says so', async () => {
  const full = openSync('/dev/full', 'w');
  const child = start(full);
  closeSync(full);
  const said = child.stderr && text(child.stderr);
  const [code] = await once(child, 'close');
  expect([code, await said]).toEqual([
    1,
    expect.stringMatching(/^The output cannot be written \(ENOSPC\)\.\n/),
  ]);
});
