import { describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { call, freshAddress } from '../../../support/call.ts';
import {
  anotherDevice,
  checkIn,
  newAccount,
  readVault,
  trustedAccount,
  vaultAccount,
} from '../../../support/devices/accounts.ts';
import { type AccountBrowser, signedInAccount } from '../../../support/samples/account.ts';
import { updateItem } from '../../../support/stored-items.ts';

const namesOf = (browser: AccountBrowser) => browser.page?.text.match(/<h3 dir="auto">[^<]*/g) ?? [];

describe('the devices', () => {
  test('are shown with name, place, network and last use, the last used first', async () => {
    const account = await trustedAccount();
    const second = await trustedAccount(anotherDevice(account));
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

  test('that were last used from the address block of the reader are marked', async () => {
    const home = freshAddress();
    const account = await trustedAccount();
    const second = await trustedAccount(anotherDevice(account));
    await updateItem(keys.trusted(account.userId, second.deviceId), {
      UpdateExpression: 'SET ipAddress = :home',
      ExpressionAttributeValues: { ':home': home },
    });
    const browser = await signedInAccount(account.email, home);
    expect(browser.page?.text.match(/Last used from your current network/g)).toHaveLength(1);
  });

  test('in quarantine and those of other users are not shown', async () => {
    const account = await trustedAccount();
    await checkIn(anotherDevice(account));
    await trustedAccount();
    expect(namesOf(await signedInAccount(account.email))).toHaveLength(1);
  });
});

describe('a removed device', () => {
  test('is out at its next vault call, and the others stay', async () => {
    const account = await vaultAccount();
    const second = await trustedAccount(anotherDevice(account));
    const browser = await signedInAccount(account.email);
    expect((await readVault(second)).status).toBe(200);
    const page = await browser.submit('remove', { device: second.deviceId });
    expect(page.text).toContain('The device was removed.');
    expect(namesOf(browser)).toHaveLength(1);
    expect((await readVault(second)).status).toBe(403);
    expect((await readVault(account)).status).toBe(200);
    await trustedAccount(second);
    expect((await readVault(second)).status).toBe(200);
  });

  test('stays removed when the form is submitted many times at once', async () => {
    const account = await trustedAccount();
    const browser = await signedInAccount(account.email);
    const request = browser.request('remove', { device: account.deviceId });
    const responses = await Promise.all(Array.from({ length: 5 }, () => call('account.submit', request)));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect((await checkIn(account)).body.verified).toBe(false);
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
    expect((await checkIn(other)).body.verified).toBe(true);
    await browser.open();
    expect((await browser.send('remove', { device: '' })).status).toBe(400);
  });
});

describe('many devices', () => {
  test('are removed, all but one', async () => {
    const account = await vaultAccount();
    const others = [
      await trustedAccount(anotherDevice(account)),
      await trustedAccount(anotherDevice(account)),
    ];
    const browser = await signedInAccount(account.email);
    const page = await browser.submit('keep', { device: account.deviceId });
    expect(page.text).toContain('All other devices were removed.');
    expect((await readVault(account)).status).toBe(200);
    for (const other of others) expect((await readVault(other)).status).toBe(403);
  });

  test('all stay when the one to keep is no longer trusted', async () => {
    const account = await trustedAccount();
    const second = await trustedAccount(anotherDevice(account));
    const browser = await signedInAccount(account.email);
    for (const device of ['client-none', (await trustedAccount()).deviceId]) {
      await browser.open();
      expect((await browser.submit('keep', { device })).text).toContain('Nothing was removed.');
    }
    for (const one of [account, second]) expect((await checkIn(one)).body.verified).toBe(true);
  });

  test('are all removed, more than one transaction holds', async () => {
    const account = await trustedAccount();
    for (let n = 0; n < 60; n += 1) {
      await updateItem(keys.trusted(account.userId, `client-${n}`), {
        UpdateExpression:
          'SET deviceId = :id, deviceName = :name, ipAddress = :ip, lastUsedAtMs = :at, createdAtMs = :at',
        ExpressionAttributeValues: {
          ':id': `client-${n}`,
          ':name': 'Chrome',
          ':ip': '203.0.113.7',
          ':at': n,
        },
      });
    }
    const browser = await signedInAccount(account.email);
    expect(namesOf(browser)).toHaveLength(61);
    const page = await browser.submit('remove-all');
    expect(page.text).toContain('All devices were removed.');
    expect(page.text).toContain('You have no trusted devices.');
    expect((await checkIn({ ...newAccount(), userId: account.userId, uuid: '7' })).body.verified).toBe(false);
  });
});
