import { type StackOfWorker, stackOfWorker } from '../../../support/subscriptions/stack.ts';

let stack: StackOfWorker;
beforeAll(async () => {
  stack = await stackOfWorker();
});

test('the OAuth issuer is the host that the caller used, whether name or IP address', async () => {
  for (const url of [stack.url, stack.url.replace('127.0.0.1', 'localhost')]) {
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer: url, token_endpoint: `${url}/api/oauth/token` });
  }
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['both fields', '{"advanceSeconds":1,"now":"2999-01-01T00:00:00Z"}'],
  ['a negative number', '{"advanceSeconds":-1}'],
  ['a number that JSON cannot hold', '{"advanceSeconds":1e999}'],
  ['a moment that has passed', '{"now":"2001-01-01T00:00:00Z"}'],
  ['more than the year 9999', '{"advanceSeconds":1e12}'],
])('%s does not move the clock, and gets a 400 that says what to send', async (_, body) => {
  const before = await stack.now();
  const refused = await stack.send('/_local/clock', { method: 'POST', body });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ error: 'invalid_request', message: expect.stringMatching(/clock/) });
  expect((await stack.now()) - before).toBeLessThan(60_000);
});
