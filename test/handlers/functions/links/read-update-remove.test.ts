import * as keys from '../../../../functions/shared/contract/keys.ts';
import * as clock from '../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, call, newOperatorKey, newSecret, newUser, putItem } from '../../../support/call.ts';
import { failTable, transactionConflict } from '../../../support/faults.ts';
import * as trustLinks from '../../../support/samples/links.ts';

const read = (parties: trustLinks.Parties, id: string) =>
  call('links.read', trustLinks.linkCall(parties, id));
const update = (parties: trustLinks.Parties, id: string, body: object) =>
  call('links.update', trustLinks.linkCall(parties, id, body));
const remove = (parties: trustLinks.Parties, id: string) =>
  call('links.remove', trustLinks.linkCall(parties, id));
const itemOf = ({ applicationId, userId }: trustLinks.Parties, id: string) =>
  getItem(keys.link(applicationId, userId, id));
const outcome = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];

describe('GET /api/trust-links/{id}', () => {
  test('returns the link as submitted, and reviewedAt once it is reviewed', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
    const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
    const _id = await trustLinks.submittedId(parties);
    const pending = {
      _id,
      ...trustLinks.goodLink,
      verificationStatus: 'pending',
      createdAt: '2026-03-01T10:00:00.000Z',
    };
    expect((await read(parties, _id)).body).toEqual({ trustLink: pending });
    vi.setSystemTime(Date.parse('2026-03-01T11:00:00Z'));
    await trustLinks.decide(operator, _id, { decision: 'rejected', reason: 'Not theirs' });
    expect((await read(parties, _id)).body).toEqual({
      trustLink: { ...pending, verificationStatus: 'rejected', reviewedAt: '2026-03-01T11:00:00.000Z' },
    });
  });

  test('works for a user who is no longer verified', async () => {
    const parties = await trustLinks.newParties();
    const id = await trustLinks.submittedId(parties);
    await putItem({ ...keys.user(parties.userId), userId: parties.userId, status: 'suspended' });
    expect((await read(parties, id)).status).toBe(200);
    expect(outcome(await update(parties, id, { title: 'x' }))).toEqual([403, 'user_not_verified']);
    expect((await remove(parties, id)).status).toBe(200);
  });
});

test('a link that does not exist is indistinguishable from a link of another application or user, which stays unchanged', async () => {
  const [owner, stranger] = await Promise.all([trustLinks.newParties(), trustLinks.newParties()]);
  const id = await trustLinks.submittedId(owner);
  const before = await itemOf(owner, id);
  const absent = await read(owner, newId('lnk', 0));
  const { userId } = await newUser();
  for (const parties of [stranger, { ...stranger, userId: owner.userId }, { ...owner, userId }]) {
    expect((await read(parties, id)).text).toBe(absent.text);
    expect((await update(parties, id, { title: 'x' })).text).toBe(absent.text);
    expect((await remove(parties, id)).text).toBe(absent.text);
    const headers = trustLinks.asApplication(parties);
    expect((await call('links.list', { headers })).body.trustLinks).toEqual([]);
    const statuses = await call('links.status', { headers, body: { linkIds: [id] } });
    expect(statuses.body).toEqual({
      success: true,
      results: [],
      summary: { total: 1, verified: 0, pending: 0, rejected: 0, notFound: 1 },
    });
  }
  expect(await itemOf(owner, id)).toEqual(before);
});

describe('PUT /api/trust-links/{id}', () => {
  test('returns id, title and status, and changes the given fields', async () => {
    const parties = await trustLinks.newParties();
    const _id = await trustLinks.submittedId(parties);
    const change = { title: 'New', url: 'https://b.example/', platform: 'Web', description: 'Other' };
    const { status, body } = await update(parties, _id, change);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, trustLink: { _id, title: 'New', verificationStatus: 'pending' } });
    expect((await read(parties, _id)).body.trustLink).toMatchObject(change);
    for (const [name, value] of Object.entries(trustLinks.goodLink)) {
      await update(parties, _id, { [name]: value });
      expect((await read(parties, _id)).body.trustLink).toMatchObject({ [name]: value });
    }
  });

  test.each(['verified', 'rejected'] as const)(
    'returns a %s link to pending and clears reviewedAt',
    async (decision) => {
      const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
      const id = await trustLinks.submittedId(parties);
      await trustLinks.decide(operator, id, { decision });
      expect(await itemOf(parties, id)).not.toHaveProperty('queue');
      expect((await update(parties, id, { title: 'New' })).body.trustLink.verificationStatus).toBe('pending');
      const link = (await read(parties, id)).body.trustLink;
      expect(link.verificationStatus).toBe('pending');
      expect(link).not.toHaveProperty('reviewedAt');
      const item = await itemOf(parties, id);
      expect(item?.queuePosition).toMatch(decision === 'verified' ? /^0#/ : /^1#/);
    },
  );

  test('that changes nothing writes nothing', async () => {
    const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
    const id = await trustLinks.submittedId(parties);
    await trustLinks.decide(operator, id, { decision: 'verified' });
    const before = await itemOf(parties, id);
    const response = await update(parties, id, trustLinks.goodLink);
    expect(response.body.trustLink.verificationStatus).toBe('verified');
    expect(await itemOf(parties, id)).toEqual(before);
  });

  test('without a field to change is refused', async () => {
    const parties = await trustLinks.newParties();
    const response = await update(parties, await trustLinks.submittedId(parties), { userId: parties.userId });
    expect(outcome(response)).toEqual([400, 'invalid_request']);
    expect(response.body.details).toHaveProperty('body');
  });
});

describe('DELETE /api/trust-links/{id}', () => {
  test('returns the id, and the link no longer exists', async () => {
    const parties = await trustLinks.newParties();
    const id = await trustLinks.submittedId(parties);
    expect((await remove(parties, id)).body).toEqual({ success: true, deleted: id });
    for (const again of [
      await read(parties, id),
      await update(parties, id, { title: 'x' }),
      await remove(parties, id),
    ])
      expect(outcome(again)).toEqual([404, 'not_found']);
    expect(await itemOf(parties, id)).toBeUndefined();
  });

  test('over the rate limit leaves the link', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '1');
    const parties = await trustLinks.newParties();
    const id = await trustLinks.submittedId(parties);
    expect(outcome(await remove(parties, id))).toEqual([429, 'rate_limited']);
    expect(await itemOf(parties, id)).toBeDefined();
  });
});

test('a lasting conflict of a change gets 409 and writes nothing', async () => {
  const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
  const id = await trustLinks.submittedId(parties);
  const before = await itemOf(parties, id);
  // A request gives up after some seconds; here each attempt takes one.
  let elapsedMs = 0;
  vi.mocked(clock.elapsedMs).mockImplementation(() => elapsedMs);
  const fault = failTable((command) => {
    if (!command.startsWith('TransactWrite')) return undefined;
    elapsedMs += 1_000;
    return transactionConflict();
  });
  const answers = await Promise.all([
    update(parties, id, { title: 'New' }),
    remove(parties, id),
    trustLinks.decide(operator, id, { decision: 'verified', revision: 1 }),
  ]).finally(fault.restore);
  expect(answers.map(outcome)).toEqual(Array(3).fill([409, 'conflict']));
  expect(await itemOf(parties, id)).toEqual(before);
});

test.each(['profile', 'trust_links:write'])('a token with the scope %s can read', async (scope) => {
  const parties = await trustLinks.newParties();
  const id = await trustLinks.submittedId(parties);
  const { applicationId, userId } = parties;
  const { secret } = await newSecret('access_token', { applicationId, userId, scopes: [scope] });
  const request = { headers: bearer(secret), params: { id } };
  expect((await call('links.read', request)).body.trustLink._id).toBe(id);
  const other = { ...request, query: { userId: 'bob' } };
  expect(outcome(await call('links.read', other))).toEqual([400, 'invalid_request']);
  const removal = await call('links.remove', request);
  expect(removal.status).toBe(scope === 'profile' ? 403 : 200);
});
