/** Two requests about codes, vaults and grants at the same time, under every order of their calls to the table. */
import { randomUUID } from 'node:crypto';
import { type Answered, call, newOperatorKey, newTenant, newUser } from '../../support/call.ts';
import {
  type Account,
  newAccount,
  quarantinedAccount,
  trustedAccount,
  vaultAccount,
} from '../../support/devices/accounts.ts';
import { eventsOf } from '../../support/events.ts';
import { alertsTo } from '../../support/mail/mailbox.ts';
import { isStored } from '../../support/oauth/tokens.ts';
import {
  answered,
  atOnce,
  type Begun,
  putBack,
  sent,
  statusesOf,
  told,
  twice,
} from '../../support/orders/at-once.ts';
import {
  authorization,
  newGrant,
  newPkce,
  newTokens,
  redirectParameters,
  requestRefresh,
  requestTokens,
  signedInBrowser,
} from '../../support/samples/oauth.ts';
import { asOperator, profile } from '../../support/samples/operator.ts';

/** An operator resets the access of a user, or enters the owner under their id. */
const resetting = async ({ userId }: { userId: string }) =>
  sent(
    'users.reset',
    await asOperator({
      params: { userId },
      body: { devices: true, proof: true, vault: true, reason: 'Lost.' },
    }),
  );
const ownerOf = ({ userId }: { userId: string }) => `owner-${userId}@example.com`;
const entering = async ({ userId }: { userId: string }) =>
  sent(
    'users.upsert',
    await asOperator({ params: { userId }, body: { ...profile(), email: ownerOf({ userId }) } }),
  );

/** Somebody has a device of the user, or gets one, while an operator ends all access: they are left out. */
const leavesOut =
  (end: typeof resetting, begin: () => Promise<{ account: Account; act: () => Promise<Answered> }>) =>
  async (): Promise<Begun> => {
    const { account, act } = await begin();
    return {
      works: [await end(account), () => told(act())],
      // A write that was allowed before the end is made after it, for nobody.
      isInParts: true,
      check: async () => {
        expect((await account.checkIn()).body.verified).toBe(false);
        expect((await account.readVault()).status).toBe(403);
        const email = end === entering ? ownerOf(account) : account.email;
        const owner = newAccount({ userId: account.userId, email });
        await trustedAccount(owner);
        expect((await owner.writeVault()).body.version).toBe(1);
      },
    };
  };
/** A code is exchanged while the access of its user ends: there is no consent, or one that has ended. */
const endsConsent = (end: typeof resetting) => async (): Promise<Begun> => {
  const { tenant, user, redemption } = await newGrant();
  return {
    works: [await end(user), () => told(requestTokens(tenant, redemption))],
    check: async () => {
      const types = (await eventsOf(tenant.applicationId)).map(({ type }) => type);
      expect(types).toBeOneOf([[], ['consent.granted', 'consent.withdrawn']]);
    },
  };
};

/** A vault, whose content tells its version. */
const content = (version: number, kib: number) => ({
  data_blob: Buffer.alloc(kib * 1024 + version, version).toString('base64'),
});
/** A vault of two versions. The next one is larger or smaller by a part. */
const overtaken = (before: number, after: number) => async (): Promise<Begun> => {
  const account = await vaultAccount(content(1, before));
  const read = async () => {
    const { status, body } = await account.readVault();
    const isWhole = [content(1, before), content(2, after)][body.version - 1]?.data_blob === body.data_blob;
    return [status, body.version, isWhole];
  };
  const write = () => account.writeVault({ ...content(2, after), version: 1 }).then(({ status }) => status);
  return {
    works: [read, write],
    check: ([seen]) => expect(seen).toEqual([200, expect.toBeOneOf([1, 2]), true]),
  };
};

/** The work of a caller with another proof, while a proof of the vault is stored. */
const unproven =
  (begin: () => Promise<Account>, change: object, act: (account: Account) => Promise<Answered>) =>
  async (): Promise<Begun> => {
    const account = await begin();
    const stored = async () => (await account.writeVault({ data_blob: 'bmV3', ...change })).status;
    return {
      works: [() => act(account).then(({ status, body }) => [status, body.version]), stored],
      check: async ([seen]) => {
        expect(seen).toBeOneOf([[200, 1], ...[401, 404, 409].map((status) => [status, undefined])]);
        const authHash = 'new_auth_hash' in change ? newHash : account.authHash;
        expect((await account.with({ authHash }).readVault()).body.data_blob).toBe('bmV3');
      },
    };
  };
const newHash = 'd'.repeat(64);
const intruder = (account: Account) => account.with({ authHash: 'f'.repeat(64) });
const renewal = { version: 1, new_auth_hash: newHash };

const cases: [what: string, () => Promise<Begun>][] = [
  [
    'a revoked grant leaves no valid token, beside a refresh',
    async () => {
      const { tenant, user, access, refresh } = await newTokens();
      const operatorKey = await newOperatorKey();
      const { userId } = user;
      const listed = await call('users.grant-list', await asOperator({ params: { userId } }, operatorKey));
      const { id } = listed.body.grants[0];
      const revocation = await asOperator({ params: { userId, id } }, operatorKey);
      const issued: string[] = [];
      const refreshing = async () => {
        const { status, body } = await requestRefresh(tenant, refresh);
        if (status === 200) issued.push(body.access_token, body.refresh_token);
        return status;
      };
      return {
        works: [sent('users.grant-revoke', revocation), refreshing],
        check: async () => {
          for (const token of [access, ...issued.filter((one) => one.startsWith('vat_'))])
            expect(await isStored(token)).toBe(false);
          for (const token of [refresh, ...issued.filter((one) => one.startsWith('vrt_'))])
            expect((await requestRefresh(tenant, token)).status).toBe(400);
        },
      };
    },
  ],
  [
    'a consent that is sent twice yields one code',
    async () => {
      const query = authorization(await newTenant(), newPkce().challenge);
      const browser = await signedInBrowser(query, (await newUser()).email);
      const codes: string[] = [];
      const allow = async () => {
        const answer = await call('oauth.consent-submit', browser.request('allow'));
        codes.push(redirectParameters(answer).code ?? '');
        return answer.status;
      };
      return { works: [allow, allow], check: () => expect(new Set(codes).size).toBe(1) };
    },
  ],
  ['a code that is exchanged beside a reset leaves no consent whose end is unsaid', endsConsent(resetting)],
  [
    'a code that is exchanged beside a new address leaves no consent whose end is unsaid',
    endsConsent(entering),
  ],
  [
    'a device that writes a first vault beside a reset is left out',
    leavesOut(resetting, async () => {
      const account = await trustedAccount();
      return { account, act: () => account.writeVault() };
    }),
  ],
  [
    'a stranger who verifies a device while the owner is entered is left out',
    leavesOut(entering, async () => {
      const { account, code } = await quarantinedAccount();
      return { account, act: () => account.verify(code) };
    }),
  ],
  [
    'a stranger who replaces vault and proof while the owner is entered is left out',
    leavesOut(entering, async () => {
      const account = await vaultAccount();
      return { account, act: () => account.writeVault({ version: 1, new_auth_hash: 'e'.repeat(64) }) };
    }),
  ],
  [
    'a device that is removed beside the use of its code is not trusted afterwards',
    async () => {
      const { account, code } = await quarantinedAccount();
      const query = { userId: account.userId, deviceHash: account.deviceId };
      return {
        works: [() => told(account.verify(code)), sent('devices.revoke', { query })],
        check: async () => expect((await account.checkIn()).body.verified).toBe(false),
      };
    },
  ],
  [
    'a right code trusts one device once, with one alert',
    async () => {
      const { account, code } = await quarantinedAccount();
      return {
        ...twice(() => told(account.verify(code))),
        check: async (results) => {
          expect(statusesOf(results)).toEqual([200, 400]);
          expect(await alertsTo(account.email)).toHaveLength(1);
        },
      };
    },
  ],
  [
    'one of two addresses is bound to a user',
    async () => {
      const { account, code } = await quarantinedAccount();
      const rival = account.anotherDevice().with({ email: newAccount().email });
      const { code: rivalCode } = await quarantinedAccount(rival);
      return {
        works: [() => told(account.verify(code)), () => told(rival.verify(rivalCode))],
        ...answered(200, 400),
      };
    },
  ],
  [
    'an address goes to one of two users',
    async () => {
      const { email } = profile();
      const put = async () =>
        sent(
          'users.upsert',
          await asOperator({ params: { userId: randomUUID() }, body: { ...profile(), email } }),
        );
      return { works: [await put(), await put()], ...answered(200, 409) };
    },
  ],
  [
    'one of two writes of a version of a vault is kept',
    async () => {
      const account = await vaultAccount();
      const write = (data_blob: string) => () => told(account.writeVault({ data_blob, version: 1 }));
      return { works: [write('AAAA'), write('BBBB')], ...answered(200, 409) };
    },
  ],
  [
    'one of two first writes creates a vault, with its proof',
    async () => {
      const account = await trustedAccount();
      const write = (authHash: string) => () =>
        account
          .with({ authHash })
          .writeVault()
          .then(({ status }) => status);
      return {
        works: [write('a'.repeat(64)), write('b'.repeat(64))],
        // The one that comes second has a wrong proof, or is in conflict.
        isInParts: true,
        check: async ([one]) => {
          const reads = await Promise.all(
            ['a', 'b'].map((text) => account.with({ authHash: text.repeat(64) }).readVault()),
          );
          expect(reads.map(({ status }) => status === 200)).toEqual([one === 200, one !== 200]);
        },
      };
    },
  ],
  [
    'a vault that is created is not read by a caller with another proof',
    unproven(trustedAccount, {}, (account) => intruder(account).readVault()),
  ],
  [
    'a vault that is created is not replaced by a caller with another proof',
    unproven(trustedAccount, {}, (account) => intruder(account).writeVault({ version: 1 })),
  ],
  [
    'a vault with a new proof is not read with the former one',
    unproven(vaultAccount, renewal, (account) => account.readVault()),
  ],
  [
    'a vault with a new proof is not replaced with the former one',
    unproven(vaultAccount, renewal, (account) =>
      account.writeVault({ version: 2, new_auth_hash: 'e'.repeat(64) }),
    ),
  ],
  [
    'a change of the master password that is sent twice is answered as one',
    async () => {
      const account = await vaultAccount();
      const change = { data_blob: 'bmV3', ...renewal };
      return { ...twice(() => told(account.writeVault(change))), ...answered(200, 200) };
    },
  ],
];

test.each(cases)('%s', async (_, begin) => {
  expect((await atOnce(begin)).run).toBeGreaterThan(1);
});

test.each([
  ['a vault is read whole while it grows', 380, 740],
  ['a vault is read whole while it shrinks', 740, 380],
])('%s', async (_, before, after) => {
  expect((await atOnce(await putBack(overtaken(before, after)))).run).toBeGreaterThan(1);
});
