import { homeRoute } from '../../../../functions/console/contracts/pages.ts';
import { signOutRoute } from '../../../../functions/console/contracts/session.ts';
import { redirectTo, show } from '../../../../functions/console/pages/visit.ts';
import { consoleEndpoint } from '../../../../functions/console/session/console-endpoint.ts';
import { consoleSessionMs, keyIdOf } from '../../../../functions/console/session/session.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { html } from '../../../../functions/shared/html/markup.ts';
import { formatTime } from '../../../../functions/shared/html/text.ts';
import { secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { utc } from '../../../../functions/shared/runtime/time-zone.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, freshAddress, newSecret, proxyEvent, putItem, read } from '../../../support/call.ts';
import { countCalls } from '../../../support/faults.ts';
import { asFunction, grantsOf } from '../../../support/granted.ts';
import {
  actionRequest,
  cookieOf,
  formTokenIn,
  newConsoleKey,
  signedIn,
  signIn,
} from '../../../support/samples/console.ts';
import { browse, form, formType } from '../../../support/samples/forms.ts';
import { asOperator } from '../../../support/samples/operator.ts';

const home = (headers: Record<string, string>, query: Record<string, string> = {}) =>
  browse('console.home', { headers, query });
const tokenIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
const signInUri = (response: { headers: Record<string, string> }) => response.headers.location;

describe('a sign-in to the console', () => {
  test('makes a cookie for eight hours that scripts and other sites do not get, and stores neither it nor the key', async () => {
    const { keyId, secret } = await newConsoleKey();
    const response = await signIn({ key: ` ${secret} ` });
    expect([response.status, response.headers.location]).toEqual([303, '../console']);
    expect(response.cookies).toEqual([
      expect.stringMatching(
        /^__Host-vouchsafe-console=key_\w{26}[\w-]{22}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const token = tokenIn(cookieOf(response));
    const stored = await getItem(keys.consoleSession(secretHash(token)));
    expect(stored?.keyId).toBe(keyId);
    const text = JSON.stringify(stored);
    for (const hidden of [secret, secretHash(secret), token]) expect(text).not.toContain(hidden);
  });

  test('never takes a token from the browser, and ends the session of the browser before', async () => {
    const { secret } = await newConsoleKey();
    const planted = cookieOf(await signIn({ key: secret }));
    const replaced = cookieOf(await signIn({ key: secret }, { headers: { cookie: planted } }));
    expect(replaced).not.toBe(planted);
    expect((await home({ cookie: planted })).status).toBe(303);
    expect((await home({ cookie: replaced })).status).toBe(200);
  });

  test('answers every wrong key with one page, at the cost of one read', async () => {
    const expired = await newConsoleKey(['admin'], { lifetimeMs: -1 });
    const revoked = await newConsoleKey();
    await call('operator.operator-key-revoke', await asOperator({ params: { keyId: revoked.keyId } }));
    const wrong = [expired.secret, revoked.secret, `vok_${'A'.repeat(22)}`];
    const answers: { status: number; text: string; cookies: string[] }[] = [];
    const costs: string[][] = [];
    for (const key of wrong) {
      const calls = await countCalls(async () => {
        const { status, text, cookies } = await signIn({ key });
        answers.push({ status, text, cookies });
      });
      costs.push(calls);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, cookies: [] });
    for (const calls of costs) expect(calls).toEqual(costs[0]);
    const others = [(await newSecret('api_key', { applicationId: 'app_1' })).secret, '', 'vok_'];
    for (const key of others) expect((await signIn({ key })).text).toBe(answers[0]?.text);
  });

  test('is refused after ten attempts in a minute from one address, with a page', async () => {
    const sourceIp = freshAddress();
    const { secret } = await newConsoleKey();
    const statuses = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await signIn({ key: 'wrong' }, { sourceIp })).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    const refused = await signIn({ key: secret }, { sourceIp, headers: { accept: 'text/html' } });
    expect([refused.status, refused.cookies]).toEqual([429, []]);
    expect(refused.text).toContain('<h1>Too many attempts</h1>');
  });

  test('from the page of another site is refused', async () => {
    const { secret } = await newConsoleKey();
    for (const from of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const response = await signIn({ key: secret }, { headers: from });
      expect([response.status, response.cookies]).toEqual([403, []]);
    }
  });

  test('takes the form of the page that this browser has loaded, in each of its tabs, and no other form', async () => {
    const { secret } = await newConsoleKey();
    const load = (cookie = '') => browse('console.sign-in-show', { headers: { cookie } });
    const submit = (cookie: string, token: string) => {
      const body = form({ form: token, key: secret });
      return browse('console.sign-in-submit', { body, headers: { ...formType, cookie, origin: 'null' } });
    };
    const first = await load();
    const cookie = cookieOf(first);
    expect(first.cookies).toEqual([
      expect.stringMatching(
        /^__Host-vouchsafe-console-sign-in=[\w-]{22}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    const second = await load(cookie);
    expect(cookieOf(second)).toBe(cookie);
    const stranger = await load();
    expect(formTokenIn(stranger.text)).not.toBe(formTokenIn(first.text));
    const forged = [
      await submit(cookie, formTokenIn(stranger.text)),
      await submit(cookie, ''),
      await submit('', formTokenIn(first.text)),
    ];
    for (const { status, text, cookies } of forged) {
      expect([status, cookies.join()]).toEqual([403, expect.not.stringContaining('console=')]);
      expect(text).toContain('Nobody was signed in.');
    }
    for (const { text } of [first, second])
      expect((await submit(cookie, formTokenIn(text))).headers.location).toBe('../console');
  });

  test.each([
    ['/console/search?q=INV-1%26+x', '../console/search?q=INV-1%26+x'],
    ['/console/customers/app_1/a%2Fb', '../console/customers/app_1/a%2Fb'],
    ['/console/sign-out', '../console'],
    ['/console/sign-in?next=/console/sign-in', '../console'],
    ['https://evil.example/console/search', '../console'],
    ['//evil.example/console/search', '../console'],
    ['/\\evil.example/console', '../console'],
    ['/console/../oauth/authorize', '../console'],
    ['/console/%2e%2e/account', '../console'],
    ['/consolex', '../console'],
    ['javascript:alert(1)', '../console'],
    ['data:text/html,x', '../console'],
    ['\t//evil.example', '../console'],
    ['', '../console'],
  ])('leads from %j to %j', async (next, location) => {
    const { secret } = await newConsoleKey();
    expect((await signIn({ key: secret, next })).headers.location).toBe(location);
    const { text } = await browse('console.sign-in-show', { query: { next } });
    const shown = /name="next" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    expect(`..${shown}`).toBe(location);
  });
});

describe('without a session', () => {
  test('a page leads to the sign-in, which names the page', async () => {
    const response = await browse('console.search', { query: { q: 'anna@example.com', notice: 'x' } });
    expect(response.status).toBe(303);
    const target = new URL(signInUri(response) ?? '', 'https://api.test/console/search');
    expect(target.pathname).toBe('/console/sign-in');
    expect([...target.searchParams]).toEqual([['next', '/console/search?q=anna%40example.com']]);
  });

  test.each(['vouchsafe-account', 'vouchsafe-consent'])(
    'a session of the cookie %s is none',
    async (name) => {
      const { cookie } = await signedIn();
      expect((await home({ cookie: `__Host-${name}=${tokenIn(cookie)}` })).status).toBe(303);
    },
  );

  test.each([
    ['of another key', (token: string) => `key_${'0'.repeat(26)}${token.slice(30)}`],
    ['that is guessed', (token: string) => `${keyIdOf(token)}${'A'.repeat(22)}`],
    ['without a key', (token: string) => token.slice(30)],
    ['twice', (token: string) => `${token}; __Host-vouchsafe-console=${token}`],
  ])('a token %s opens nothing', async (_, changed) => {
    const { cookie } = await signedIn();
    expect((await home({ cookie: `__Host-vouchsafe-console=${changed(tokenIn(cookie))}` })).status).toBe(303);
  });
});

describe('a session of the console', () => {
  test('ends eight hours after the sign-in, however much it is used', async () => {
    const { cookie } = await signedIn();
    const startedAtMs = Date.now();
    vi.setSystemTime(startedAtMs + consoleSessionMs - 10 * secondMs);
    expect((await home({ cookie })).status).toBe(200);
    vi.setSystemTime(startedAtMs + consoleSessionMs + secondMs);
    expect((await home({ cookie })).status).toBe(303);
  });

  test('ends with the next request after its key is revoked', async () => {
    const { keyId, secret } = await newConsoleKey();
    const cookie = cookieOf(await signIn({ key: secret }));
    expect((await home({ cookie })).status).toBe(200);
    await call('operator.operator-key-revoke', await asOperator({ params: { keyId } }));
    expect((await home({ cookie })).status).toBe(303);
  });

  test('ends when its key expires', async () => {
    const { keyId, secret } = await newConsoleKey(['admin'], { lifetimeMs: 60 * secondMs });
    const cookie = cookieOf(await signIn({ key: secret }));
    const { status, text } = await home({ cookie });
    const ends = formatTime(Number((await getItem(keys.operatorKey(keyId)))?.expiresAtMs), utc);
    expect([status, text]).toEqual([200, expect.stringContaining(`>${ends}</time></dd>`)]);
    vi.setSystemTime(Date.now() + 61 * secondMs);
    expect((await home({ cookie })).status).toBe(303);
  });

  test('has the scopes of its key at each request', async () => {
    const { keyId, secret } = await newConsoleKey(['review', 'support']);
    const cookie = cookieOf(await signIn({ key: secret }));
    expect((await home({ cookie })).text).toMatch(/console\/reviews">Links to review<\/a>/);
    const stored = await getItem(keys.operatorKey(keyId));
    await putItem(Object.assign({ ...keys.operatorKey(keyId) }, stored, { scopes: ['support'] }));
    const { text } = await home({ cookie });
    expect(text).not.toContain('Links to review');
    expect(text).toContain('Undelivered mails<br><code>npm run operator -- mail list</code>');
  });

  test('ends with the sign-out, once, and the cookie with it', async () => {
    const headers = await signedIn();
    const request = await actionRequest(headers);
    const answers = await Promise.all([
      browse('console.sign-out', request),
      browse('console.sign-out', request),
    ]);
    for (const { status, headers: sent, cookies } of answers) {
      expect([status, sent.location]).toEqual([303, '../console/sign-in']);
      expect(cookies[0]).toMatch(/^__Host-vouchsafe-console=; Path=\/; Max-Age=0;/);
    }
    expect((await home(headers)).status).toBe(303);
  });

  test('is not ended by a form of another session, or of another site', async () => {
    const headers = await signedIn();
    const other = await actionRequest(await signedIn());
    const forged = { body: other.body, headers: { ...formType, ...headers } };
    expect((await browse('console.sign-out', forged)).status).toBe(403);
    const request = await actionRequest(headers);
    const foreign = { ...request, headers: { ...request.headers, 'sec-fetch-site': 'cross-site' } };
    expect((await browse('console.sign-out', foreign)).status).toBe(403);
    expect((await home(headers)).status).toBe(200);
  });
});

/** A page and a form that need the scope `finance`, in place of those of the sections. */
const page = consoleEndpoint(homeRoute, 'finance', () => show('Money', html`<h1>Money</h1>`));
const names: string[] = [];
const submit = consoleEndpoint(signOutRoute, 'finance', (_, { operator }) => {
  names.push(operator.name);
  return redirectTo('/console', 'The <b>payment</b> was applied.');
});
const shown = async (headers: Record<string, string>) =>
  asFunction('console.home', grantsOf(homeRoute), async () =>
    read(await page(proxyEvent({ route: homeRoute }, { headers }))),
  );
const sent = async (request: Parameters<typeof proxyEvent>[1]) =>
  asFunction('console.home', grantsOf(homeRoute), async () =>
    read(await submit(proxyEvent({ route: signOutRoute }, request))),
  );

describe('a page that needs a scope', () => {
  test('is shown with it, and says which is missing without it', async () => {
    expect((await shown(await signedIn('finance'))).status).toBe(200);
    expect((await shown(await signedIn('admin'))).status).toBe(200);
    const refused = await shown(await signedIn('support'));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Your operator key needs the scope finance.');
  });

  test('acts with the scope and the form token of its session, and with nothing less', async () => {
    const headers = await signedIn('finance');
    const other = await actionRequest(await signedIn('finance'));
    const refusals = [
      await sent({ body: other.body, headers: { ...formType, ...headers } }),
      await sent({ body: form({ reason: 'none' }), headers: { ...formType, ...headers } }),
      await sent(await actionRequest(await signedIn('support'))),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403]);
    const ended = await sent({ body: form({ form: 'x' }), headers: formType });
    expect(ended.headers.location).toMatch(/^\.\.\/console\/sign-in\?next=.*&notice=ended$/);
    expect(names).toEqual([]);
    expect((await sent(await actionRequest(headers))).status).toBe(303);
    expect(names).toEqual(['Olga Operator']);
  });

  test('shows the notice of an action to the session that acted, and to no other', async () => {
    const headers = await signedIn('finance');
    const { headers: answered } = await sent(await actionRequest(headers));
    const query = Object.fromEntries(
      new URL(answered.location ?? '', 'https://api.test/console/x').searchParams,
    );
    expect((await home(headers, query)).text).toContain(
      '<p class="notice" role="status">The &lt;b&gt;payment&lt;/b&gt; was applied.</p>',
    );
    expect((await home(await signedIn(), query)).text).not.toContain('role="status"');
    const forged = { notice: `${query.notice}!` };
    expect((await home(headers, forged)).text).not.toContain('role="status"');
  });
});

test('a page of the console runs its own script, loads nothing, cannot be framed, and escapes the name of its person', async () => {
  const { secret } = await newConsoleKey(['admin'], { name: '<img src=x>' });
  const { headers, text, hasScript } = await home({ cookie: cookieOf(await signIn({ key: secret })) });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; script-src 'sha256-[^']+'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(hasScript).toBe(true);
  expect(headers['cache-control']).toBe('no-store');
  expect(text).not.toMatch(/<script|<img|<link(?! rel="icon" href="data:)| on\w+=| style=/);
  expect(text).toContain('&lt;img src=x&gt;');
  expect(formTokenIn(text)).toMatch(/^[\w-]{43}$/);
});
