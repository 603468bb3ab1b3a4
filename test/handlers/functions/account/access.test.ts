import { describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { call } from '../../../support/call.ts';
import {
  anotherDevice,
  checkIn,
  readVault,
  trustedAccount,
  vaultAccount,
  writeVault,
} from '../../../support/devices/accounts.ts';
import { putGrants } from '../../../support/oauth/stored-grants.ts';
import { suspendUser } from '../../../support/oauth/tokens.ts';
import { signedInAccount } from '../../../support/samples/account.ts';
import { formWith } from '../../../support/samples/forms.ts';
import { newTokens, requestRefresh } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { updateItem } from '../../../support/stored-items.ts';
import { newTenant, newUser } from '../../../support/tenants.ts';

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

  test('shows its name in quotation marks and without markup', async () => {
    const { user, tenant } = await newTokens();
    await updateItem(keys.application(tenant.applicationId), {
      UpdateExpression: 'SET #name = :name',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': '<i>Evil</i> https://evil.example' },
    });
    const { page } = await signedInAccount(user.email);
    expect(page?.text).toContain('“&lt;i&gt;Evil&lt;/i&gt; https: evil. example”');
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

  test('beyond the first page is on the next one', async () => {
    const { userId, email } = await newUser();
    for (let n = 0; n < 21; n += 1) {
      await putGrants(userId, [(await newTenant()).applicationId]);
    }
    const browser = await signedInAccount(email);
    const count = () => browser.page?.text.match(/name="application"/g)?.length;
    expect(count()).toBe(20);
    const [, cursor = ''] = /account\?cursor=([\w-]+)#applications/.exec(browser.page?.text ?? '') ?? [];
    await browser.open({ cursor });
    expect(count()).toBe(1);
    expect(browser.page?.text).toContain('Latest applications');
    expect((await browser.open({ cursor: 'forged' })).status).toBe(400);
  });

  test('that was allowed more often than one form withdraws is not called withdrawn before all of it is', async () => {
    const { userId, email } = await newUser();
    const { applicationId } = await newTenant();
    await putGrants(userId, Array<string>(101).fill(applicationId));
    const browser = await signedInAccount(email);
    const first = await browser.submit('withdraw', { application: applicationId });
    expect(first.text).toContain('Withdraw it once more for the rest.');
    expect(first.text.match(/name="application"/g)).toHaveLength(1);
    const second = await browser.submit('withdraw', { application: applicationId });
    expect(second.text).toContain('The access was withdrawn.');
    expect(second.text).not.toContain('name="application"');
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

  test('that is submitted again with the signed-out session leads to the page, which denies nothing', async () => {
    const browser = await signedInAccount((await newUser()).email);
    const fields = {
      ...formWith(browser.page?.text ?? '', 'sign-out-everywhere'),
      step: 'sign-out-everywhere',
    };
    expect((await browser.post(fields)).status).toBe(303);
    const repeated = await browser.post(fields);
    expect([repeated.status, repeated.headers.location]).toEqual([303, 'account']);
  });

  test('changes nothing for a user who was suspended since the page was shown', async () => {
    const { email, userId } = await newUser();
    const browser = await signedInAccount(email);
    await suspendUser(userId);
    const refused = await browser.send('sign-out-everywhere');
    expect(refused.headers.location).toBe('account?notice=expired');
    expect(await historyOf(userId)).toEqual([]);
  });

  test('leaves what the user verified since, when an old form is submitted again', async () => {
    const account = await trustedAccount();
    const request = (await signedInAccount(account.email)).request('sign-out-everywhere');
    await call('account.submit', request);
    await trustedAccount(account);
    await call('account.submit', request);
    expect((await checkIn(account)).body.verified).toBe(true);
  });
});
