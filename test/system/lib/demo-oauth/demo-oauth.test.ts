import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoOAuth } from '../../../../lib/demo-oauth/demo-oauth.ts';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { type StackOfWorker, stackOfWorker } from '../../../support/subscriptions/stack.ts';

let stack: StackOfWorker;
/** Holds a port, as another program would. */
let other: Listening;
let taken: string;

beforeAll(async () => {
  stack = await stackOfWorker();
  await stack.clockBy(3_601);
  other = await listen(createServer(), 0);
  taken = `http://localhost:${new URL(other.url).port}/callback`;
});
afterAll(() => other.close());

/** Starts the client. Each test takes a port of its own, because the registered one may be in use on this machine. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const ended = new AbortController();
  const output = { out: '', said: '' };
  const code = demoOAuth(['--url', stack.url, '--redirect-uri', taken, ...args], {
    env,
    out: (text) => {
      output.out += text;
    },
    say: (text) => {
      output.said += text;
    },
    signal: ended.signal,
  });
  return { output, code, end: () => ended.abort() };
}

/** The client's address, as it tells the person at the terminal. */
async function addressOf({ output }: ReturnType<typeof start>): Promise<URL> {
  for (;;) {
    const [, address] = /Open (http:\S+) in a browser/.exec(output.said) ?? [];
    if (address !== undefined) return new URL(address);
    await sleep(20);
  }
}

describe('without a browser', () => {
  test('the client runs the whole flow: consent, code, API, refresh, revocation', async () => {
    const client = start(['--unattended']);
    expect(await client.code, client.output.said).toBe(0);
    const { out } = client.output;
    expect(out.match(/^\d\. .*$/gm)).toEqual([
      '1. The user was sent to the consent page',
      '2. The browser came back',
      '3. The code was exchanged for tokens',
      '4. The API was called for the user',
      '5. The refresh token was exchanged for new tokens',
      '6. The tokens were revoked',
    ]);
    expect(out).toContain("200 with 0 of the user's links");
    expect(out).toMatch(/invalid_grant\nAll steps succeeded\.\n$/);
    expect(out, 'no secret').not.toMatch(/v(cs|at|rt|ac)_[\w-]{5}/);
  });
});

describe('a callback', () => {
  test('with a foreign state, or in a browser that did not begin the request, is not used, and the client goes on waiting', async () => {
    const client = start([]);
    const address = await addressOf(client);
    const begun = await fetch(new URL('/start', address), { redirect: 'manual' });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const [cookie = ''] = begun.headers.getSetCookie()[0]?.split(';') ?? [];
    expect(state).not.toBe('');

    const callback = (query: string, headers: Record<string, string>) =>
      fetch(new URL(`/callback?${query}`, address), { headers });
    const foreign = await callback('code=vac_x&state=another', { cookie });
    const elsewhere = await callback(`code=vac_x&state=${state}`, {});
    for (const response of [foreign, elsewhere]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('This response is not for you');
    }
    expect(client.output.out).toBe('');

    // The browser's own, but without the issuer: it may come from another server (RFC 9207).
    const mixedUp = await callback(`code=vac_x&state=${state}`, { cookie });
    expect(await mixedUp.text()).toContain('The client is not connected');
    expect(await client.code).toBe(1);
    expect(client.output.said).toContain('iss');
    expect(client.output.out).not.toContain('The browser came back');
  });
});

describe('the client says what to do when', () => {
  test('a deployment has no demo data, and no application is named', async () => {
    const deployment = await listen(
      createServer((_, response) => response.writeHead(404).end()),
      0,
    );
    const client = start(['--url', deployment.url]);
    expect(await client.code).toBe(1);
    expect(client.output.said).toContain('VOUCHSAFE_CLIENT_ID and VOUCHSAFE_CLIENT_SECRET');
    await deployment.close();
  });
});
