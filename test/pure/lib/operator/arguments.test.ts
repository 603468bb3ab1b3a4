import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../../../../lib/operator/arguments.ts';
import { requestVerbs } from '../../../../lib/operator/requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const json = '{"name":"Grüße"}';

function settings(bytes: Uint8Array) {
  const file = join(folder, 'settings.json');
  writeFileSync(file, bytes);
  const options = { settings: { field: 'settings', type: 'json', help: '' } } as const;
  return parseArguments({ options }, ['--settings', `@${file}`]).fields.settings;
}

describe('the file of an option', () => {
  test.each(['', '\uFEFF', '\uFEFF\uFEFF'])('in UTF-8 after the mark %j is its value', (mark) => {
    expect(settings(Buffer.from(mark + json))).toEqual(JSON.parse(json));
  });

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${json}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from('{}', 'utf16le')],
    ['Latin-1', Buffer.from(json, 'latin1')],
  ])('in %s is refused as not UTF-8', (_, bytes) => {
    expect(() => settings(bytes)).toThrow('--settings names a file that is not UTF-8');
  });

  test('that is not JSON is refused, and the error does not quote it', () => {
    expect(() => settings(Buffer.from('secret'))).toThrow('--settings is not valid JSON.');
  });
});

test('a decision that is withdrawn needs a reason, and the others may have one', () => {
  const decide = (name: string) => {
    const verb = requestVerbs.find((one) => one.name === name);
    return parseArguments(verb ?? {}, ['lnk_1', '--revision', '2']).fields;
  };
  expect(() => decide('review withdraw')).toThrow('Missing: --reason');
  for (const name of ['review verify', 'review reject']) expect(decide(name).revision).toBe(2);
});
