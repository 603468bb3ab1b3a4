/** Events of consents for applications. */
import { maxGrantsAtOnce } from '../../../../functions/shared/auth/grants/grant-end-store.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { type Credentials, call, newTenant, newUser } from '../../../support/call.ts';
import { eventsOf } from '../../../support/events.ts';
import { loseAnswersTo } from '../../../support/interruptions/between.ts';
import { advance, onStoppedClock } from '../../../support/oauth/access.ts';
import { putGrants } from '../../../support/oauth/stored-grants.ts';
import { suspendUser } from '../../../support/oauth/tokens.ts';
import { signedInAccount } from '../../../support/samples/account.ts';
import * as oauth from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

onStoppedClock();

type Tokens = Awaited<ReturnType<typeof oauth.newTokens>>;
interface Party {
  userId: string;
  email: string;
}

const withdrawnByUser = async ({ user, tenant }: Tokens) =>
  (await signedInAccount(user.email)).submit('withdraw', { application: tenant.applicationId });
const signedOutEverywhere = async ({ user }: { user: Party }) =>
  (await signedInAccount(user.email)).submit('sign-out-everywhere');
const revokeToken = (tenant: Credentials, token: string) =>
  call('oauth.revoke', oauth.tokenCall({ token, ...oauth.bodyCredentials(tenant) }));
const revokeGrant = async (userId: string, id: string) =>
  call('users.grant-revoke', await asOperator({ params: { userId, id } }));
const reset = async ({ userId }: { userId: string }, body: object = { devices: true }) =>
  call('users.reset', await asOperator({ params: { userId }, body }));
const newAddress = async ({ userId }: { userId: string }) =>
  call(
    'users.upsert',
    await asOperator({
      params: { userId },
      body: { email: `${userId}@moved.example`, name: 'Ann', status: 'active', verified: true },
    }),
  );
const grantIds = async ({ applicationId }: Credentials): Promise<string[]> =>
  (await eventsOf(applicationId)).filter(({ sequence }) => sequence === 1).map(({ data }) => String(data.id));
const told = async ({ applicationId }: Pick<Credentials, 'applicationId'>) =>
  (await eventsOf(applicationId)).map(({ type, sequence, data }) =>
    [sequence, type, data.by].filter((part) => part !== undefined).join(' '),
  );
const granted = '1 consent.granted';
const withdrawn = (by: string) => `2 consent.withdrawn ${by}`;

test('consent.granted is made when the code is exchanged, with the id under which operators list the grant', async () => {
  const { tenant, user, redemption } = await oauth.newGrant({ scope: 'vault profile' });
  expect(await eventsOf(tenant.applicationId)).toEqual([]);
  await oauth.requestTokens(tenant, redemption);
  const listed = await call('users.grant-list', await asOperator({ params: { userId: user.userId } }));
  const [grant] = listed.body.grants;
  const data = {
    id: grant.id,
    userId: user.userId,
    scopes: ['profile', 'vault'],
    grantedAt: grant.createdAt,
  };
  const createdAtMs = Date.now();
  expect(await eventsOf(tenant.applicationId)).toEqual([
    { type: 'consent.granted', sequence: 1, createdAtMs, data },
  ]);
});

/** Every end of one grant. Repeated, each has nothing left to end. */
const ends: [by: string, how: string, end: (tokens: Tokens) => Promise<unknown>][] = [
  ['user', 'a withdrawal on the account page', withdrawnByUser],
  ['user', 'a sign-out everywhere', signedOutEverywhere],
  [
    'application',
    'the revocation of the refresh token',
    ({ tenant, refresh }) => revokeToken(tenant, refresh),
  ],
  [
    'operator',
    'the revocation of the grant',
    async ({ user, tenant }) => revokeGrant(user.userId, (await grantIds(tenant))[0] ?? ''),
  ],
  ['operator', 'a reset of the devices', ({ user }) => reset(user)],
  ['operator', 'a reset of devices and vault', ({ user }) => reset(user, { devices: true, vault: true })],
  [
    'reuse_detection',
    'a code that is used again',
    ({ tenant, redemption }) => oauth.requestTokens(tenant, redemption),
  ],
  [
    'reuse_detection',
    'a refresh token that is used again',
    async ({ tenant, refresh }) => {
      await oauth.requestRefresh(tenant, refresh);
      advance(11_000);
      await oauth.requestRefresh(tenant, refresh);
    },
  ],
];

describe('consent.withdrawn', () => {
  test.each(ends)('by %s: %s ends the consent once, and says when', async (by, _, end) => {
    const tokens = await oauth.newTokens();
    const { tenant, user } = tokens;
    advance(21_000);
    await end(tokens);
    const withdrawnAt = new Date().toISOString();
    advance(21_000);
    await end(tokens);
    const [first, last, ...more] = await eventsOf(tenant.applicationId);
    expect(more).toEqual([]);
    expect(last).toEqual({
      type: 'consent.withdrawn',
      sequence: 2,
      createdAtMs: Date.parse(withdrawnAt),
      data: { ...first?.data, userId: user.userId, withdrawnAt, by },
    });
    expect((await oauth.requestRefresh(tenant, tokens.refresh)).status).toBe(400);
  });

  test('by operator: another address ends the consent', async () => {
    const { tenant, user, refresh } = await oauth.newTokens();
    await newAddress(user);
    await newAddress(user);
    expect(await told(tenant)).toEqual([granted, withdrawn('operator')]);
    expect((await oauth.requestRefresh(tenant, refresh)).status).toBe(400);
  });

  test('is made once when all ends come at once', async () => {
    const tokens = await oauth.newTokens();
    const { tenant, user } = tokens;
    const browser = await signedInAccount(user.email);
    const other = await signedInAccount(user.email);
    const [id = ''] = await grantIds(tenant);
    await Promise.all([
      browser.send('withdraw', { application: tenant.applicationId }),
      other.send('sign-out-everywhere'),
      revokeToken(tenant, tokens.refresh),
      revokeGrant(user.userId, id),
      reset(user),
      newAddress(user),
      oauth.requestTokens(tenant, tokens.redemption),
    ]);
    expect(await told(tenant)).toEqual([granted, expect.stringContaining('2 consent.withdrawn')]);
  });

  test.each([1, 3])('is made once when %i answers of the table are lost', async (lost) => {
    const { tenant, refresh } = await oauth.newTokens();
    const loss = loseAnswersTo('TransactWriteItemsCommand', lost);
    const { status } = await revokeToken(tenant, refresh).finally(loss.restore);
    expect(status).toBe(lost < 3 ? 200 : 500);
    await revokeToken(tenant, refresh);
    expect(await told(tenant)).toEqual([granted, withdrawn('application')]);
  });

  test('is told to the application alone that had the consent', async () => {
    const [one, other] = await Promise.all([oauth.newTokens(), oauth.newTokens()]);
    await withdrawnByUser(one);
    expect(await told(other.tenant)).toEqual([granted]);
    // The application of one is not the application of the other.
    await revokeToken(other.tenant, one.refresh);
    expect(await told(one.tenant)).toEqual([granted, withdrawn('user')]);
  });
});

test.each<[string, (tokens: Tokens) => Promise<unknown>]>([
  [
    'the revocation of an access token, which leaves the consent',
    ({ tenant, access }) => revokeToken(tenant, access),
  ],
  ['the suspension of the user, which can be lifted', ({ user }) => suspendUser(user.userId)],
  ['a reset that leaves the devices', ({ user }) => reset(user, { proof: true })],
  ['another application', async ({ refresh }) => revokeToken(await newTenant(), refresh)],
  [
    'an end after the consent has expired',
    async ({ tenant, user }) => {
      advance(30 * dayMs);
      await revokeGrant(user.userId, (await grantIds(tenant))[0] ?? '');
      await reset(user);
    },
  ],
])('no event is made by: %s', async (_, act) => {
  const tokens = await oauth.newTokens();
  await act(tokens);
  expect(await told(tokens.tenant)).toEqual([granted]);
});

test('a new security stamp with more consents than one transaction ends tells of each of them once', async () => {
  const [user, tenant, other] = await Promise.all([newUser(), newTenant(), newTenant()]);
  const count = 2 * maxGrantsAtOnce + 5;
  await putGrants(user.userId, [...Array<string>(count).fill(tenant.applicationId), other.applicationId]);
  expect((await reset(user)).status).toBe(200);
  const events = await eventsOf(tenant.applicationId);
  expect(new Set(events.map(({ data }) => data.id)).size).toBe(count);
  expect(events).toHaveLength(count);
  expect(await told(other)).toEqual([withdrawn('operator')]);
});
