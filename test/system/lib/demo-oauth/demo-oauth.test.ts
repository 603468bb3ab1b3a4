import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { demoOAuth } from '../../../../lib/demo-oauth/demo-oauth.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';

test('the demo client runs the whole flow without a browser: consent, code, API, refresh, revocation', async () => {
  const stack = await stackOfWorker();
  await stack.clockBy(3_601);
  // The registered port is taken, as by another program: the client takes one of its own.
  const other = await listen(createServer(), 0);
  const taken = `http://localhost:${new URL(other.url).port}/callback`;
  let output = '';
  let said = '';
  const code = await demoOAuth(['--url', stack.url, '--redirect-uri', taken, '--unattended'], {
    env: {},
    out: (text) => {
      output += text;
    },
    say: (text) => {
      said += text;
    },
    signal: new AbortController().signal,
  });
  await other.close();
  expect(code, said).toBe(0);
  expect(output.match(/^\d\. .*$/gm)).toEqual([
    '1. The user was sent to the consent page',
    '2. The browser came back',
    '3. The code was exchanged for tokens',
    '4. The API was called for the user',
    '5. The refresh token was exchanged for new tokens',
    '6. The tokens were revoked',
  ]);
  // The examples of the reference, which other tests of this stack show, are of a link.
  expect(output).toMatch(/200 with [01] of the user's links/);
  expect(output).toMatch(/invalid_grant\nAll steps succeeded\.\n$/);
  expect(output, 'no secret').not.toMatch(/v(cs|at|rt|ac)_[\w-]{5}/);
});
