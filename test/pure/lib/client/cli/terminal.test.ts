import { PassThrough } from 'node:stream';
import { ask, askSecret } from '../../../../../lib/client/cli/terminal.ts';

/** A terminal that types keys, and what is shown on it. */
function typing(keys: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', (chunk) => {
    shown += chunk;
  });
  setImmediate(() => input.end(keys));
  return { input, output, shown: () => shown };
}

describe('a passphrase that is asked for', () => {
  test('is what was typed, with corrections, and nothing of it is shown', async () => {
    const { input, output, shown } = typing('correct horze\u007f\u007fse\r');
    expect(await askSecret('Passphrase: ', input, output)).toBe('correct horse');
    expect(shown()).toBe('Passphrase: \n');
  });

  test('is empty at the end of input', async () => {
    const { input, output } = typing('');
    expect(await askSecret('Passphrase: ', input, output)).toBe('');
  });

  test('is given up with Ctrl-C', async () => {
    const { input, output } = typing('corr\u0003');
    await expect(askSecret('Passphrase: ', input, output)).rejects.toMatchObject({ exitCode: 1 });
  });
});

test('a question that is no secret shows what is typed', async () => {
  const { input, output, shown } = typing('yes\r');
  expect(await ask('Burn? ', input, output)).toBe('yes');
  expect(shown()).toContain('Burn? ');
  expect(shown()).toContain('yes');
});
