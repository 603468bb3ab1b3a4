import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listen } from '../../../lib/local/listen.ts';
import { type Stack, startStack } from '../../../lib/local/stack.ts';
import { smoke } from '../../../lib/smoke/smoke.ts';

let stack: Stack;
beforeAll(async () => {
  vi.resetModules();
  stack = await startStack({
    port: 0,
    dataDir: ':memory:',
    env: { ...process.env, TABLE_NAME: `smoke-${randomUUID()}` },
    log: () => undefined,
  });
});
afterAll(async () => {
  await stack.stop();
  vi.resetModules();
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
  expect(output.match(/^passed /gm)).toHaveLength(7);
  expect(output).toMatch(/^skipped TLS 1.3 .*127\.0\.0\.1 is served without TLS$/m);
  expect(output).toMatch(/^skipped the operator key .*--operator-key/m);
});

test('the operator key of the environment reads an application', async () => {
  const demo = (await (await fetch(`${stack.url}/_local/demo`)).json()) as {
    operatorKey: string;
    applications: { offline: { _id: string } };
  };
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

test('every check fails against another server, and says what to do next', async () => {
  const { url, close } = await listen(
    createServer((_, response) => response.writeHead(302, { location: '/login' }).end('<h1>Sign in</h1>')),
    0,
  );
  const { code, output, messages } = await run([url]);
  await close();
  expect([code, messages]).toEqual([1, '7 of 9 checks failed.\n']);
  const failed = output.split('\n').filter((line) => line.startsWith('failed'));
  for (const line of failed) expect(line).toMatch(/instead of .*\. Next: /);
});

test('a server that cannot be reached fails every check with the reason', async () => {
  const { url, close } = await listen(createServer(), 0);
  await close();
  const { code, output } = await run([url]);
  expect(code).toBe(1);
  expect(output.match(/no response \(ECONNREFUSED\)/g)).toHaveLength(7);
});

test.each([
  ['TLSv1.2', 'TLSv1.3', /TLS 1.2 is accepted/],
  ['TLSv1.2', 'TLSv1.2', /TLS 1.3 is refused; TLS 1.2 is accepted/],
  ['TLSv1.3', 'TLSv1.3', undefined],
] as const)('a server with %s to %s', async (minVersion, maxVersion, finding) => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const server = createHttpsServer({ cert, key, minVersion, maxVersion }, (_, response) => response.end());
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

test('an address over http that is not of this machine is refused as insecure', async () => {
  const { code, output } = await run(['http://vouchsafe.invalid']);
  expect(code).toBe(1);
  expect(output).toContain('the address is not https');
});

test.each([
  [[]],
  [['ftp://a.example']],
  [['https://a.example', 'https://b.example']],
  [['https://a.example', '--fast']],
])('the command line %j is refused', async (args) => {
  const { code, output, messages } = await run(args);
  expect([code, output]).toEqual([2, '']);
  expect(messages).toContain('Use --help');
});

test('--help shows the usage', async () => {
  const { code, output } = await run(['--help']);
  expect([code, output]).toEqual([0, expect.stringContaining('Usage: npm run -s smoke -- <url>')]);
});
