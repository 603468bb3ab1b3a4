import * as keys from '../../../../functions/shared/contract/keys.ts';
import { call, newUser, updateItem } from '../../../support/call.ts';
import { trustedAccount, vaultAccount } from '../../../support/devices/accounts.ts';
import { suspendUser } from '../../../support/oauth/tokens.ts';
import { type AccountBrowser, signedInAccount } from '../../../support/samples/account.ts';
import { newTokens, requestRefresh } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

const historyOf = async (userId: string) =>
  (await call('users.history', await asOperator({ params: { userId } }))).body.history;

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
});

describe('signing out everywhere', () => {
  test('ends devices, tokens and sessions, and keeps vault and proof', async () => {
    const account = await vaultAccount();
    const second = await trustedAccount(account.anotherDevice());
    const browser = await signedInAccount(account.email);
    const elsewhere = await signedInAccount(account.email);
    const page = await browser.submit('sign-out-everywhere');
    expect(page.text).toContain('role="status">You are signed out everywhere.');
    for (const one of [account, second]) {
      expect((await one.checkIn()).body.verified).toBe(false);
      expect((await one.readVault()).status).toBe(403);
    }
    for (const one of [browser, elsewhere]) expect((await one.open()).text).toContain('Send me a code');
    await trustedAccount(account);
    expect((await account.readVault()).body.version).toBe(1);
    const stranger = account.with({ authHash: 'c'.repeat(64) });
    expect((await stranger.writeVault()).status).toBe(401);
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

const namesOf = (browser: AccountBrowser) => browser.page?.text.match(/<h3 dir="auto">[^<]*/g) ?? [];

test('the devices are shown with name, place, network and last use, the last used first', async () => {
  const account = await trustedAccount();
  const second = await trustedAccount(account.anotherDevice());
  const set = (deviceId: string, deviceName: string, lastUsedAtMs: number) =>
    updateItem(keys.trusted(account.userId, deviceId), {
      UpdateExpression: 'SET deviceName = :name, lastUsedAtMs = :at, #location = :place, isp = :isp',
      ExpressionAttributeNames: { '#location': 'location' },
      ExpressionAttributeValues: {
        ':name': deviceName,
        ':at': lastUsedAtMs,
        ':place': 'Freiburg, Germany',
        ':isp': 'Example Telekom',
      },
    });
  await set(account.deviceId, '<b>Older</b>', Date.UTC(2026, 10, 20, 6, 45));
  await set(second.deviceId, 'Newer', Date.UTC(2026, 10, 21, 6, 45));
  const browser = await signedInAccount(account.email);
  expect(namesOf(browser)).toEqual(['<h3 dir="auto">Newer', '<h3 dir="auto">&lt;b&gt;Older&lt;/b&gt;']);
  expect(browser.page?.text).toContain('Freiburg, Germany · Example Telekom · 10.');
  expect(browser.page?.text).toContain('Last used 21 November 2026, 06:45 UTC. First seen ');
});

describe('a removed device', () => {
  test('is out at its next vault call, and the others stay', async () => {
    const account = await vaultAccount();
    const second = await trustedAccount(account.anotherDevice());
    const browser = await signedInAccount(account.email);
    expect((await second.readVault()).status).toBe(200);
    const page = await browser.submit('remove', { device: second.deviceId });
    expect(page.text).toContain('The device was removed.');
    expect(namesOf(browser)).toHaveLength(1);
    expect((await second.readVault()).status).toBe(403);
    expect((await account.readVault()).status).toBe(200);
    await trustedAccount(second);
    expect((await second.readVault()).status).toBe(200);
  });

  test('that is missing or belongs to another user gets the same response, and stays', async () => {
    const other = await trustedAccount();
    const browser = await signedInAccount((await trustedAccount()).email);
    const locations = [];
    for (const device of [other.deviceId, 'client-none']) {
      await browser.open();
      locations.push((await browser.send('remove', { device })).headers.location);
    }
    expect(locations[1]).toBe(locations[0]);
    expect((await other.checkIn()).body.verified).toBe(true);
    await browser.open();
    expect((await browser.send('remove', { device: '' })).status).toBe(400);
  });
});

describe('many devices', () => {
  test('are removed, all but one', async () => {
    const account = await vaultAccount();
    const others = [
      await trustedAccount(account.anotherDevice()),
      await trustedAccount(account.anotherDevice()),
    ];
    const browser = await signedInAccount(account.email);
    const page = await browser.submit('keep', { device: account.deviceId });
    expect(page.text).toContain('All other devices were removed.');
    expect((await account.readVault()).status).toBe(200);
    for (const other of others) expect((await other.readVault()).status).toBe(403);
  });

  test('all stay when the one to keep is no longer trusted', async () => {
    const account = await trustedAccount();
    const second = await trustedAccount(account.anotherDevice());
    const browser = await signedInAccount(account.email);
    for (const device of ['client-none', (await trustedAccount()).deviceId]) {
      await browser.open();
      expect((await browser.submit('keep', { device })).text).toContain('Nothing was removed.');
    }
    for (const one of [account, second]) expect((await one.checkIn()).body.verified).toBe(true);
  });
});
