import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { generate } from 'selfsigned';
import { beforeAll, expect, test, vi } from 'vitest';
import { errorBody, gatewayErrors } from '../../../../functions/shared/contract/errors.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { smoke } from '../../../../lib/smoke/smoke.ts';
import { type StackOfWorker, stackOfWorker } from '../../../support/subscriptions/stack.ts';

let stack: StackOfWorker;
beforeAll(async () => {
  stack = await stackOfWorker();
  // The checks create a share: the shares of an address are counted by the minute.
  await stack.clockBy(61);
});

async function run(args: string[], env: Record<string, string> = {}) {
  let output = '';
  let messages = '';
  const code = await smoke(args, {
    env,
    out: (text) => {
      output += text;
    },
    say: (text) => {
      messages += text;
    },
  });
  return { code, output, messages };
}

const outcomes = (output: string) =>
  JSON.parse(output).checks.map(({ outcome }: { outcome: string }) => outcome);

test('every check passes against the local stack; TLS and the operator key are skipped by name', async () => {
  const { code, output, messages } = await run([`${stack.url}/`]);
  expect(output).not.toContain('failed');
  expect([code, messages]).toEqual([0, 'The deployment works.\n']);
  expect(output.match(/^passed /gm)).toHaveLength(9);
  expect(output).toMatch(/^skipped TLS 1.3 .*127\.0\.0\.1 is served without TLS$/m);
  expect(output).toMatch(/^skipped the operator key .*--operator-key/m);
});

test('the operator key of the environment reads an application', async () => {
  const demo = await stack.demo();
  const good = { VOUCHSAFE_OPERATOR_KEY: demo.operatorKey };
  const args = [stack.url, '--operator-key', '--json'];
  const application = ['--application', demo.applications.offline._id];
  expect(outcomes((await run([...args, ...application], good)).output).at(-1)).toBe('passed');
  expect(outcomes((await run(args, good)).output).at(-1)).toBe('passed');
  const refused = await run(args, { VOUCHSAFE_OPERATOR_KEY: 'vok_unknown' });
  expect(refused.code).toBe(1);
  expect(outcomes(refused.output).at(-1)).toBe('failed');
  expect(refused.output).not.toContain('vok_unknown');
  expect((await run(args)).code).toBe(2);
});

const openApi = JSON.stringify({ openapi: '3.1.0', info: { title: 'Vouchsafe' } });

/** Runs the checks against a server that serves the OpenAPI document, and gives every other path to the listener. */
async function against(listener: RequestListener, args: string[] = [], env: Record<string, string> = {}) {
  const { url, close } = await listen(
    createServer((request, response) =>
      request.url === '/openapi.json' ? response.end(openApi) : listener(request, response),
    ),
    0,
  );
  const result = await run([url, ...args], env);
  await close();
  return { ...result, url };
}

/** The result of the check of a name that contains a text. */
const resultOf = (output: string, name: string) =>
  JSON.parse(output).checks.find((one: { name: string }) => one.name.includes(name));

const operatorKey = { VOUCHSAFE_OPERATOR_KEY: 'vok_secret' };

test('every check of a response fails against a server that only serves the document', async () => {
  const redirects: RequestListener = (_, response) =>
    response.writeHead(302, { location: '/login' }).end('<h1>Sign in</h1>');
  const { code, output, messages } = await against(redirects);
  expect([code, messages]).toEqual([1, '8 of 11 checks failed.\n']);
  const failed = output.split('\n').filter((line) => line.startsWith('failed'));
  for (const line of failed) expect(line).toMatch(/ instead of .*\. Next: /);
  expect(output).toContain('status 302 instead of 200 (location /login)');
});

test.each([
  ['<h1>Sign in</h1>', 200],
  ['{"openapi":"3.1.0","info":{"title":"Other"}}', 200],
  ['{"message":"Forbidden"}', 403],
  ['', 302],
])('a server that answers %j is not Vouchsafe: it gets one request, and no key', async (body, status) => {
  const seen: (string | undefined)[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      seen.push(request.url, request.headers.authorization);
      response.writeHead(status, { location: '/login' }).end(body);
    }),
    0,
  );
  const { code, output, messages } = await run([url, '--operator-key'], operatorKey);
  const json = await run([url, '--json']);
  await close();
  expect([code, messages]).toEqual([1, '1 of 11 checks failed. The others were skipped.\n']);
  expect(output).toMatch(/^failed .*not Vouchsafe.*\. Next: .*Url of the stack.*\n$/);
  if (status === 302) expect(output).toContain('location /login');
  expect(seen).toEqual(['/openapi.json', undefined, '/openapi.json', undefined]);
  expect(outcomes(json.output)).toEqual(['failed', ...Array(10).fill('skipped')]);
});

test.each([
  [[], 404, JSON.stringify(errorBody(gatewayErrors.not_found))],
  [['--application', 'app_1'], 200, '{}'],
  [['--application', 'app_1'], 200, '{"application":{"_id":"app_2"}}'],
])('the check of the operator key %j fails on %i %s', async (args, status, body) => {
  const { output } = await against(
    (_, response) => response.writeHead(status).end(body),
    ['--operator-key', '--json', ...args],
    operatorKey,
  );
  expect(resultOf(output, 'operator key').outcome).toBe('failed');
});

test('after 429 it says how long to wait', async () => {
  const limited: RequestListener = (_, response) =>
    response.writeHead(429, { 'retry-after': '42' }).end('{}');
  const { output } = await against(limited, ['--json']);
  const { reason, next } = resultOf(output, 'one-time share');
  expect(reason).toContain('status 429');
  expect(next).toBe('Wait 42 seconds, then run the checks again.');
  const silent = await against((_, response) => response.writeHead(429).end('{}'), ['--json']);
  expect(resultOf(silent.output, 'one-time share').next).toMatch(/^Wait a minute/);
});

test('nothing that a server sends controls the terminal', async () => {
  const text = 'a\u001b[2J\u202e\u2028\u009bb\nfailed forged';
  const hostile: RequestListener = (_, response) =>
    response
      .writeHead(302, { 'x-audit-id': '\u009b31m', location: '\u009b2J', 'content-type': '\u0085' })
      .end(JSON.stringify({ error: text }).replaceAll('\\u001b', '\u001b'));
  const { output } = await against(hostile);
  const json = await against(hostile, ['--json']);
  const dangerous = /[^\P{C}\n]|[\u2028\u2029]/u;
  expect(output).not.toMatch(dangerous);
  expect(output.trimEnd().split('\n')).toHaveLength(11);
  expect(json.output).not.toMatch(dangerous);
});

test.each([
  ['TLSv1.2', 'TLSv1.3', /TLS 1.2 is accepted/],
  ['TLSv1.2', 'TLSv1.2', /TLS 1.3 is refused; TLS 1.2 is accepted/],
  ['TLSv1.3', 'TLSv1.3', undefined],
] as const)('a server with %s to %s', async (minVersion, maxVersion, finding) => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createHttpsServer({ cert, key, minVersion, maxVersion }, (_, response) =>
    response.end(openApi),
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const { output } = await run([`https://localhost:${port}`]);
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  const tls = output.split('\n').find((line) => line.includes('TLS 1.3 is accepted')) ?? '';
  if (finding === undefined) expect(tls).toMatch(/^passed/);
  else expect(tls).toMatch(finding);
});

test('over http, an address that is not of this machine fails, and is refused when a key is to be sent', async () => {
  const seen: unknown[] = [];
  const { url, close } = await listen(
    createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(openApi);
    }),
    0,
  );
  // This address reaches the same server, but is not one of those that never leave the machine.
  const address = url.replace('127.0.0.1', '0.0.0.0');
  const refused = await run([address, '--operator-key'], operatorKey);
  expect([refused.code, refused.output, seen]).toEqual([2, '', []]);
  expect(refused.messages).toContain('use https');
  const { code, output } = await run([address]);
  await close();
  expect(code).toBe(1);
  expect(output).toContain('the address is not https');
});

test.each([
  [[]],
  [['ftp://a.example']],
  [['https://u:p@a.example']],
  [['https://a.example?x=1']],
  [['https://a.example#x']],
  [['https://a.example', 'https://b.example']],
  [['https://a.example', '--fast']],
  [['https://a.example', '--application', 'app_1']],
  [['https://a.example', '--operator-key', '--application', '']],
])('the command line %j is refused', async (args) => {
  const { code, output, messages } = await run(args, operatorKey);
  expect([code, output]).toEqual([2, '']);
  expect(messages).toContain('Use --help');
});
