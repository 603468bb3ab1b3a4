import { randomUUID } from 'node:crypto';
import { getUser } from '../../../../functions/shared/accounts/users.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../functions/shared/table/query.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, newUser } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { asOperator, profile, youtubeAccount } from '../../../support/samples/operator.ts';

const freshId = () => `user-${randomUUID()}`;
const put = async (userId: string, body: object = {}) =>
  call('users.upsert', await asOperator({ params: { userId }, body: { ...profile(), ...body } }));
const read = async (userId: string) => call('users.read', await asOperator({ params: { userId } }));
const addressOwner = async (email: string) => (await getItem(keys.address(email)))?.userId;

describe('a user', () => {
  test('is created, shown and replaced, and keeps the time of creation', async () => {
    const userId = freshId();
    expect((await read(userId)).body.error).toBe('not_found');
    const given = profile();
    const { status, body } = await put(userId, given);
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    expect(body).toEqual({ user: { userId, ...given, revision: 1, createdAt: time, updatedAt: time } });
    expect((await read(userId)).body).toEqual(body);
    const { user } = (await put(userId, { ...given, name: 'Anna', status: 'suspended', verified: false }))
      .body;
    expect(user).toMatchObject({
      name: 'Anna',
      status: 'suspended',
      verified: false,
      createdAt: body.user.createdAt,
    });
    expect((await read(userId)).body).toEqual({ user });
  });

  test('has a record of each change of the name alone, with the former one', async () => {
    const { userId } = await newUser();
    const { email, status, verified } = (await read(userId)).body.user;
    for (const name of ['Anna', 'Anna', 'Hanna']) await put(userId, { email, status, verified, name });
    const { history } = (await call('users.history', await asOperator({ params: { userId } }))).body;
    expect(history).toMatchObject([
      { action: 'user.name_changed', before: { name: 'Anna' } },
      { action: 'user.name_changed', before: { name: 'Ann' } },
    ]);
    expect(history).toHaveLength(2);
  });
});

describe('an address', () => {
  test('is stored in its canonical form and belongs to one user regardless of spelling', async () => {
    const one = freshId();
    const other = freshId();
    const email = `Ann.${randomUUID()}@Example.COM`;
    expect((await put(one, { email })).body.user.email).toBe(email.toLowerCase());
    const refused = await put(other, { email: email.toUpperCase() });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: 'conflict', details: { email: 'belongs to another user' } });
    expect(refused.text).not.toContain(one);
    expect(await getUser(other)).toBeUndefined();
    expect((await put(one, { email })).status).toBe(200);
  });

  test('is released in the transaction that claims another', async () => {
    const one = freshId();
    const other = freshId();
    const before = profile().email;
    const after = profile().email;
    await put(one, { email: before });
    const owners = async () => [
      await addressOwner(before),
      await addressOwner(after),
      (await getUser(one))?.email,
    ];
    const fault = failTable((command) => (command.includes('Transact') ? new Error('lost') : undefined));
    const request = await asOperator({ params: { userId: one }, body: { ...profile(), email: after } });
    expect((await call('users.upsert', request).finally(fault.restore)).status).toBe(500);
    expect(await owners()).toEqual([one, undefined, before]);
    await call('users.upsert', request);
    expect(await owners()).toEqual([undefined, one, after]);
    expect((await put(other, { email: before })).status).toBe(200);
  });
});

describe('a social account', () => {
  const putAccount = async (userId: string, platform: string, body: object = {}) =>
    call(
      'users.social-account-upsert',
      await asOperator({ params: { userId, platform }, body: { ...youtubeAccount, ...body } }),
    );
  const accountsOf = async (userId: string) =>
    (await queryItems(keys.user(userId).pk)).filter(({ sk }) => sk.startsWith('SOCIAL#'));

  test('is created and replaced under the same id, with platform and username compared regardless of case', async () => {
    const { userId } = await newUser();
    const { status, body } = await putAccount(userId, 'YouTube');
    expect(status).toBe(200);
    expect(body.socialAccount).toEqual({
      id: expect.stringMatching(/^acc_/),
      platform: 'YouTube',
      ...youtubeAccount,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const again = await putAccount(userId, 'youtube', { username: 'ANN', verificationStatus: 'rejected' });
    expect(again.body.socialAccount).toMatchObject({
      id: body.socialAccount.id,
      createdAt: body.socialAccount.createdAt,
      verificationStatus: 'rejected',
    });
    expect(await accountsOf(userId)).toHaveLength(1);
  });

  test('that becomes primary makes the others of its platform secondary', async () => {
    const { userId } = await newUser();
    const usernames = Array.from({ length: 5 }, (_, i) => `name${i}`);
    await putAccount(userId, 'Vimeo');
    const responses = await Promise.all(
      usernames.map((username) => putAccount(userId, 'YouTube', { username })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const accounts = await accountsOf(userId);
    expect(accounts.filter(({ isPrimary, platform }) => isPrimary && platform === 'YouTube')).toHaveLength(1);
    expect(accounts.filter(({ isPrimary, platform }) => isPrimary && platform === 'Vimeo')).toHaveLength(1);
  });

  test('that becomes primary has an audit record that names the former primary one', async () => {
    const { userId } = await newUser();
    await putAccount(userId, 'YouTube', { username: 'Ann' });
    await putAccount(userId, 'Vimeo', { username: 'Other' });
    await putAccount(userId, 'youtube', { username: 'Bob', isPrimary: false });
    await putAccount(userId, 'YouTube', { username: 'Bob' });
    await putAccount(userId, 'YouTube', { username: 'Bob' });
    const { body } = await call('operator.action-list', await asOperator({ query: { objectId: userId } }));
    expect(body.actions.map(({ before }: { before: object }) => before)).toEqual([
      { platform: 'YouTube', username: 'Bob', isPrimary: false, primaryUsernames: ['Ann'] },
      { platform: 'youtube', username: 'Bob' },
      { platform: 'Vimeo', username: 'Other' },
      { platform: 'YouTube', username: 'Ann' },
    ]);
  });

  test('of an unknown user is a 404 and stores nothing', async () => {
    const userId = freshId();
    expect((await putAccount(userId, 'YouTube')).body.error).toBe('not_found');
    expect(await queryItems(keys.user(userId).pk)).toEqual([]);
  });
});

test.each([
  ['upsert', { email: 'a@b.example\r\nbcc: c@d.example' }, 'email'],
  ['upsert', { name: 'Ann\u0007' }, 'name'],
  ['upsert', { status: 'deleted' }, 'status'],
  ['social-account-upsert', { username: 'a\nb' }, 'username'],
  ['social-account-upsert', { url: 'javascript:alert(1)' }, 'url'],
  ['social-account-upsert', { url: 'https://www.youtube.com@evil.example/ann' }, 'url'],
  ['social-account-upsert', { url: 'https://www.youtube.com/\u202Enna' }, 'url'],
  ['social-account-upsert', { url: 'https:example.com/ann' }, 'url'],
  ['social-account-upsert', { url: 'https:\\\\example.com\\ann' }, 'url'],
  ['social-account-upsert', { url: ' https://example.com/ann' }, 'url'],
  ['social-account-upsert', { url: 'https://10.0.0.1/ann' }, 'url'],
  ['social-account-upsert', { verificationStatus: 'done' }, 'verificationStatus'],
])('%s with %j is refused, naming the field', async (operation, wrong, field) => {
  const params = { userId: freshId(), platform: 'YouTube' };
  const whole = operation === 'upsert' ? profile() : youtubeAccount;
  const response = await call(
    `users.${operation}`,
    await asOperator({ params, body: { ...whole, ...wrong } }),
  );
  expect([response.status, Object.keys(response.body.details)]).toEqual([400, [field]]);
});
