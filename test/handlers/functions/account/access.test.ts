import { describe, expect, test } from 'vitest';
import { call } from '../../../support/call.ts';
import {
  anotherDevice,
  checkIn,
  readVault,
  trustedAccount,
  vaultAccount,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { suspendUser } from '../../../support/oauth/tokens.ts';
import { signedInAccount } from '../../../support/samples/account.ts';
import { newTokens, requestRefresh } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { newUser } from '../../../support/tenants.ts';

const historyOf = async (userId: string) =>
  (await call('operator.user-history', await asOperator({ params: { userId } }))).body.history;

describe('an application', () => {
  test('is shown once with what it may do, since when, and its last use', async () => {
    const { user, tenant } = await newTokens();
    await newTokens({ scope: 'trust_links:write profile' }, {}, { user, tenant });
    const { page } = await signedInAccount(user.email);
    expect(page?.text.match(/“Example App”<\/h3>/g)).toHaveLength(1);
    expect(page?.text).toMatch(/It can: [^<]*Manage links in your name/);
    expect(page?.text).toMatch(/Allowed \d+ \w+ \d{4}\. Last used \d+ \w+ \d{4}, \d\d:\d\d UTC\./);
  });

  test('that is withdrawn loses all its tokens, and others keep theirs', async () => {
    const first = await newTokens();
    const again = await newTokens({}, {}, { user: first.user, tenant: first.tenant });
    const other = await newTokens({}, {}, { user: first.user });
    const browser = await signedInAccount(first.user.email);
    const page = await browser.submit('withdraw', { application: first.tenant.applicationId });
    expect(page.text).toContain('The access was withdrawn.');
    for (const one of [first, again]) {
      expect((await requestRefresh(one.tenant, one.refresh)).status).toBe(400);
    }
    expect((await requestRefresh(other.tenant, other.refresh)).status).toBe(200);
    expect(page.text.match(/name="application"/g)).toHaveLength(1);
  });

  test('that is withdrawn many times at once has one audit record for each grant', async () => {
    const { user, tenant } = await newTokens();
    const browser = await signedInAccount(user.email);
    const request = browser.request('withdraw', { application: tenant.applicationId });
    const responses = await Promise.all(Array.from({ length: 5 }, () => call('account.submit', request)));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(await historyOf(user.userId)).toEqual([
      {
        event: 'grant_withdrawn',
        revision: 1,
        at: expect.any(String),
        by: { kind: 'user' },
        grant: { id: expect.stringMatching(/^gnt_/), applicationId: tenant.applicationId },
      },
    ]);
  });

  test('that another user allowed, or none, gets the same response and keeps its access', async () => {
    const other = await newTokens();
    const browser = await signedInAccount((await newTokens()).user.email);
    const locations = [];
    for (const application of [other.tenant.applicationId, 'app_none']) {
      await browser.open();
      locations.push((await browser.send('withdraw', { application })).headers.location);
    }
    expect(locations[1]).toBe(locations[0]);
    expect((await requestRefresh(other.tenant, other.refresh)).status).toBe(200);
  });
});

describe('signing out everywhere', () => {
  test('ends devices, tokens and sessions, and keeps vault and proof', async () => {
    const account = await vaultAccount();
    const second = await trustedAccount(anotherDevice(account));
    const browser = await signedInAccount(account.email);
    const elsewhere = await signedInAccount(account.email);
    const page = await browser.submit('sign-out-everywhere');
    expect(page.text).toContain('role="status">You are signed out everywhere.');
    for (const one of [account, second]) {
      expect((await checkIn(one)).body.verified).toBe(false);
      expect((await readVault(one)).status).toBe(403);
    }
    for (const one of [browser, elsewhere]) expect((await one.open()).text).toContain('Send me a code');
    await trustedAccount(account);
    expect((await readVault(account)).body.version).toBe(1);
    const stranger = { ...account, authHash: 'c'.repeat(64) };
    expect((await writeVault(stranger)).status).toBe(401);
  });

  test('many times at once is done once, with one audit record, and says the same each time', async () => {
    const account = await trustedAccount();
    const request = (await signedInAccount(account.email)).request('sign-out-everywhere');
    const responses = await Promise.all(Array.from({ length: 5 }, () => call('account.submit', request)));
    for (const { status, headers } of [...responses, await call('account.submit', request)]) {
      expect([status, headers.location]).toEqual([303, expect.stringMatching(/^account\?done=everywhere\./)]);
    }
    expect(await historyOf(account.userId)).toEqual([
      {
        event: 'reset',
        revision: 1,
        at: expect.any(String),
        by: { kind: 'user' },
        reset: { devices: true, proof: false, vault: false },
      },
    ]);
  });

  test('changes nothing for a user who was suspended since the page was shown', async () => {
    const { email, userId } = await newUser();
    const browser = await signedInAccount(email);
    await suspendUser(userId);
    const refused = await browser.send('sign-out-everywhere');
    expect(refused.headers.location).toBe('account?notice=expired');
    expect(await historyOf(userId)).toEqual([]);
  });
});
