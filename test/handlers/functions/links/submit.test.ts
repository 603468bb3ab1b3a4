import { randomUUID } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../functions/shared/table/query.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, call, newSecret, newTenant, newUser } from '../../../support/call.ts';
import { goodLink, newParties, type Parties, submit } from '../../../support/samples/links.ts';

const stored = ({ applicationId, userId }: Parties) => queryItems(keys.linkPartition(applicationId, userId));

describe('a submission', () => {
  test('returns the links as pending, in the order of the request, and nothing else', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00.123Z') });
    const parties = await newParties();
    const { description: _, ...short } = goodLink;
    const { status, body } = await submit(parties, [
      goodLink,
      { ...short, _id: 'mine', verificationStatus: 'verified' },
    ]);
    expect(status).toBe(200);
    const generated = {
      _id: expect.stringMatching(/^lnk_[0-9A-Z]{26}$/),
      verificationStatus: 'pending',
      createdAt: '2026-03-01T10:00:00.123Z',
    };
    expect(body).toEqual({
      success: true,
      trustLinks: [
        { ...goodLink, ...generated },
        { ...short, ...generated },
      ],
    });
  });

  test('of fifty links stores fifty, with ids in the order of the request, in the review queue', async () => {
    const parties = await newParties();
    const { body } = await submit(parties, 50);
    const items = await stored(parties);
    expect(items.map(({ sk }) => sk)).toEqual(body.trustLinks.map(({ _id }: { _id: string }) => _id));
    expect(items.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, i) => `Link ${i + 1}`));
    for (const item of items) expect(item.queuePosition).toMatch(/^1#.*#lnk_/);
  });

  test('with an access token is for the user of the token', async () => {
    const [{ applicationId }, { userId }] = await Promise.all([newTenant(), newUser()]);
    const scopes = ['trust_links:write'];
    const { secret } = await newSecret('access_token', { applicationId, userId, scopes });
    const response = await call('links.submit', { headers: bearer(secret), body: { links: [goodLink] } });
    expect(response.status).toBe(200);
    expect((await queryItems(keys.linkPartition(applicationId, userId)))[0]).toMatchObject({
      submittedBy: { kind: 'user', id: userId },
    });
  });
});

describe('an Idempotency-Key', () => {
  const withKey = () => ({ headers: { 'idempotency-key': randomUUID() } });

  test('is refused with another body or another user', async () => {
    const parties = await newParties();
    const key = withKey();
    await submit(parties, 1, key);
    const { userId } = await newUser();
    for (const response of [
      await submit(parties, 2, key),
      await submit(parties, 1, { ...key, body: { limit: 1 } }),
      await submit({ ...parties, userId }, 1, key),
    ])
      expect([response.status, response.body.error]).toEqual([422, 'idempotency_mismatch']);
    expect(await stored(parties)).toHaveLength(1);
  });

  test('ignores the order of fields, unknown fields, and where the user is named, and its record has nothing of them', async () => {
    const parties = await newParties();
    const { headers } = withKey();
    const { title, url, platform } = goodLink;
    const first = await submit(parties, [{ title, url, platform }], { headers });
    const again = await call('links.submit', {
      headers: { ...bearer(parties.clientSecret), ...headers },
      body: { userId: parties.userId, links: [{ platform, more: 1, url, title }] },
    });
    expect(again.text).toBe(first.text);
    const record = await getItem(keys.idempotency(parties.applicationId, headers['idempotency-key']));
    expect(JSON.stringify(record)).toContain('lnk_');
    expect(JSON.stringify(record)).not.toContain(title);
  });
});

describe('a refused submission stores nothing', () => {
  const refused = async (
    links: unknown[] | number,
    body: object,
    error: string,
    fields: string[],
    headers: Record<string, string> = {},
  ) => {
    const parties = await newParties();
    const response = await submit(parties, links, { body, headers });
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(Object.keys(response.body.details).sort()).toEqual(fields.toSorted());
    expect(await stored(parties)).toEqual([]);
  };

  test.each<[string, number | unknown[], object, string, string[]]>([
    ['51 links', 51, {}, 'limit_exceeded', ['links']],
    ['more links than limit', 3, { limit: 2 }, 'limit_exceeded', ['links']],
    ['limit 51', 1, { limit: 51 }, 'limit_exceeded', ['limit']],
    ['a link that is a text', [goodLink, 'x'], {}, 'invalid_request', ['links', 'links[1]']],
    ['another userId than the header', 1, { userId: 'bob' }, 'invalid_request', ['userId']],
    [
      'one bad among fifty',
      [...Array(49).fill(goodLink), { ...goodLink, url: 'nonsense' }],
      {},
      'invalid_request',
      ['links[49].url'],
    ],
  ])('%s', (_, links, body, error, fields) => refused(links, body, error, fields));

  test('no user', async () => {
    const { clientSecret } = await newTenant();
    const response = await call('links.submit', {
      headers: bearer(clientSecret),
      body: { links: [goodLink] },
    });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details).toHaveProperty('userId');
  });

  test.each<[string, Record<string, unknown> | undefined]>([
    ['suspended', { status: 'suspended' }],
    ['unverified', { verified: false }],
    ['known by an e-mail address only', { status: undefined, verified: undefined }],
    ['unknown', undefined],
  ])('a user who is %s', async (_, more) => {
    const tenant = await newTenant();
    const { userId } = more ? await newUser(more) : { userId: `user-${randomUUID()}` };
    const parties = { ...tenant, userId };
    const response = await submit(parties);
    expect([response.status, response.body.error]).toEqual([403, 'user_not_verified']);
    expect(await stored(parties)).toEqual([]);
  });

  test('an access token without the scope', async () => {
    const [{ applicationId }, { userId }] = await Promise.all([newTenant(), newUser()]);
    const { secret } = await newSecret('access_token', { applicationId, userId, scopes: ['profile'] });
    const response = await call('links.submit', { headers: bearer(secret), body: { links: [goodLink] } });
    expect([response.status, response.body.error]).toEqual([403, 'insufficient_scope']);
    expect(response.body.details).toEqual({ scope: 'trust_links:write' });
    expect(await stored({ applicationId, userId } as Parties)).toEqual([]);
  });
});
