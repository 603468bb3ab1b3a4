import { createServer, type ServerResponse } from 'node:http';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { importStatement } from '../../../../lib/operator/verbs/bank-import.ts';
import { operateHere } from './program.ts';

let server: Listening | undefined;
afterEach(() => server?.close());

const key = `vok_${'A'.repeat(22)}`;
type Answer = (response: ServerResponse) => void;

/** A server that gives the answers one after another, and the last one again and again. @returns its address */
async function answering(...answers: [Answer, ...Answer[]]): Promise<string> {
  const [last] = answers.slice(-1);
  server = await listen(
    createServer((_, response) => (answers.shift() ?? last)?.(response)),
    0,
  );
  return server.url;
}
const json =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));
const badGateway: Answer = (response) => response.writeHead(502).end('<h1>Bad Gateway</h1>');

async function operateAt(url: string, ...args: string[]) {
  const env = { VOUCHSAFE_URL: url, VOUCHSAFE_OPERATOR_KEY: key };
  const { code, out, err } = await operateHere([...args, '--json'], env);
  return { exit: code, out, error: err === '' ? undefined : JSON.parse(err).error };
}

/** A command that writes, and so is sent once. */
const redriveAt = (url: string) => operateAt(url, 'mail', 'redrive', 'mail_1');
const redrive = async (answer: Answer) => redriveAt(await answering(answer));

test('a page of another server is not taken for the API', async () => {
  const { exit, error } = await redrive(badGateway);
  expect(exit).toBe(7);
  expect(error).toMatchObject({
    code: 'not_vouchsafe',
    status: 502,
    next: expect.stringContaining('VOUCHSAFE_URL'),
  });
});

test('a page that is not found at another server is no missing record', async () => {
  const { exit, error } = await redrive((response) => response.writeHead(404).end('<h1>Not Found</h1>'));
  expect([exit, error.code, error.status]).toEqual([7, 'not_vouchsafe', 404]);
});

test.each([
  [401, 'invalid_token', 4],
  [404, 'not_found', 3],
  [409, 'conflict', 5],
  [422, 'invalid_request', 6],
  [429, 'rate_limited', 7],
  [500, 'server_error', 7],
])('an answer with %i %s ends with %i', async (status, error, code) => {
  expect((await redrive(json(status, { error, message: 'No.' }))).exit).toBe(code);
});

test('after a connection that ended, the command may have been executed', async () => {
  const { exit, error } = await redrive((response) => response.destroy());
  expect(exit).toBe(7);
  expect(error).toMatchObject({
    code: 'connection_lost',
    next: expect.stringContaining('may have been executed'),
  });
});

test('where nothing listens, the reason of the system is named', async () => {
  const closed = await listen(createServer(), 0);
  await closed.close();
  const { exit, error } = await redriveAt(closed.url);
  expect(exit).toBe(7);
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

test('a command that reads is sent again, and one that writes is not', async () => {
  const user = json(200, { user: { userId: 'ann' } });
  expect(await operateAt(await answering(badGateway, user), 'user', 'show', 'ann')).toMatchObject({
    exit: 0,
  });
  await server?.close();
  const { exit, error } = await redriveAt(await answering(badGateway, json(200, { success: true })));
  expect([exit, error.status]).toEqual([7, 502]);
});

test('the progress of an import is read again after failures', async () => {
  const statement = (status: string) =>
    json(200, { statement: { status, entries: 1, progress: { done: 1, results: { unapplied: 1 } } } });
  const url = await answering(statement('importing'), badGateway, badGateway, statement('imported'));
  const imported = importStatement(
    { url, key },
    'bst_1',
    { application: 'app_1' },
    { say() {}, redraws: false },
  );
  expect((await imported).body).toMatchObject({ status: 'imported' });
});

test('an argument that would name another path is refused before a request', async () => {
  const { exit, error } = await operateAt('http://localhost:9', 'user', 'show', '..');
  expect([exit, error.code]).toEqual([6, 'invalid_request']);
  expect(error.message).toMatch(/^invalid_request: GET .+ needs userId\.\n {2}userId: is required$/);
});
