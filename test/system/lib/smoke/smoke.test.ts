import { createServer, type RequestListener } from 'node:http';
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

const outcomes = (output: string) => output.match(/^(passed|failed|skipped)/gm);

test('every check passes against the local stack; TLS and the operator key are skipped by name', async () => {
  const { code, output, messages } = await run([`${stack.url}/`]);
  expect(output).not.toContain('failed');
  expect([code, messages]).toEqual([0, 'The deployment works.\n']);
  expect(output.match(/^passed /gm)).toHaveLength(6);
  expect(output).toMatch(/^skipped TLS 1.3 .*127\.0\.0\.1 is served without TLS$/m);
  expect(output).toMatch(/^skipped the operator key .*--operator-key/m);
});

test('the operator key of the environment is checked', async () => {
  const demo = await stack.demo();
  const good = { VOUCHSAFE_OPERATOR_KEY: demo.operatorKey };
  const args = [stack.url, '--operator-key'];
  expect(outcomes((await run(args, good)).output)?.at(-1)).toBe('passed');
  const refused = await run(args, { VOUCHSAFE_OPERATOR_KEY: 'vok_unknown' });
  expect(refused.code).toBe(1);
  expect(outcomes(refused.output)?.at(-1)).toBe('failed');
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

const operatorKey = { VOUCHSAFE_OPERATOR_KEY: 'vok_secret' };

test('every check of a response fails against a server that only serves the document', async () => {
  const redirects: RequestListener = (_, response) =>
    response.writeHead(302, { location: '/login' }).end('<h1>Sign in</h1>');
  const { code, output, messages } = await against(redirects);
  expect([code, messages]).toEqual([1, '5 of 8 checks failed.\n']);
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
  await close();
  expect([code, messages]).toEqual([1, '1 of 8 checks failed. The others were skipped.\n']);
  expect(output).toMatch(/^failed .*not Vouchsafe.*\. Next: .*Url of the stack.*\n$/);
  if (status === 302) expect(output).toContain('location /login');
  expect(seen).toEqual(['/openapi.json', undefined]);
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
