import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { operateHere } from './program.ts';

let server: Listening | undefined;
afterEach(() => server?.close());

/** A command that writes, and so is sent once. */
async function redrive(answer: (response: ServerResponse) => void) {
  server = await listen(
    createServer((_, response) => answer(response)),
    0,
  );
  return redriveAt(server.url);
}

async function redriveAt(url: string) {
  const env = { VOUCHSAFE_URL: url, VOUCHSAFE_OPERATOR_KEY: `vok_${'A'.repeat(22)}` };
  const { code, err } = await operateHere(['mail', 'redrive', 'mail_1', '--json'], env);
  return { exit: code, error: JSON.parse(err).error };
}

test('a page of another server is not taken for the API', async () => {
  const { exit, error } = await redrive((response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
  expect(exit).toBe(1);
  expect(error).toMatchObject({
    code: 'not_vouchsafe',
    status: 502,
    next: expect.stringContaining('VOUCHSAFE_URL'),
  });
});

test('after a connection that ended, the command may have been executed', async () => {
  const { exit, error } = await redrive((response) => response.destroy());
  expect(exit).toBe(1);
  expect(error).toMatchObject({
    code: 'unreachable',
    next: expect.stringContaining('may have been executed'),
  });
});

test('where nothing listens, the reason of the system is named', async () => {
  const closed = await listen(createServer(), 0);
  await closed.close();
  const { exit, error } = await redriveAt(closed.url);
  expect(exit).toBe(1);
  expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('(ECONNREFUSED)') });
});

test('an error of the API has its code, its status and the next action', async () => {
  const body = { error: 'insufficient_scope', message: 'Not with this key.', details: { scope: 'support' } };
  const { error } = await redrive((response) =>
    response.writeHead(403, { 'x-audit-id': 'aud_1' }).end(JSON.stringify(body)),
  );
  expect(error).toMatchObject({
    code: 'insufficient_scope',
    status: 403,
    details: { scope: 'support' },
    auditId: 'aud_1',
    message: '403 insufficient_scope: Not with this key.\n  scope: support\n  audit id: aud_1',
    next: expect.stringContaining('administrator'),
  });
});
