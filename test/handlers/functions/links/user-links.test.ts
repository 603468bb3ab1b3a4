import { randomUUID } from 'node:crypto';
import { bearer, type Call, call, newOperatorKey, newTenant } from '../../../support/call.ts';
import { asApplication, decide, submit } from '../../../support/samples/links.ts';
import { asOperator, profile } from '../../../support/samples/operator.ts';

/** Three links of a user, of which the second one is verified, and how an operator asks for them. */
async function threeLinks() {
  const userId = `Ann / ${randomUUID()}`;
  await call('users.upsert', await asOperator({ params: { userId }, body: profile() }));
  const parties = { ...(await newTenant()), userId };
  const { trustLinks } = (await submit(parties, 3)).body;
  const ids = idsOf(trustLinks);
  const operatorKey = await newOperatorKey();
  await decide(operatorKey, ids[1] ?? '', { decision: 'verified' });
  const list = (query: Record<string, string> = {}, headers: Call['headers'] = {}) =>
    call('links.user-link-list', {
      headers: { ...bearer(operatorKey), ...headers },
      params: { userId: parties.userId },
      query: { applicationId: parties.applicationId, ...query },
    });
  return { parties, ids, list };
}

const idsOf = (links: { _id: string }[]) => links.map(({ _id }) => _id);

test('an operator sees the links that the application sees, by state and page by page', async () => {
  const { parties, ids, list } = await threeLinks();
  const { trustLinks } = (await call('links.list', { headers: asApplication(parties) })).body;
  expect((await list()).body).toEqual({ trustLinks });
  expect(idsOf(trustLinks)).toEqual(ids.toReversed());
  expect(idsOf((await list({ status: 'verified' })).body.trustLinks)).toEqual([ids[1]]);
  const first = (await list({ limit: '2' })).body;
  expect(idsOf(first.trustLinks)).toEqual([ids[2], ids[1]]);
  const second = (await list({ limit: '2', cursor: first.nextCursor })).body;
  expect(second).toEqual({ trustLinks: [trustLinks[2]] });
});

test('the list is CSV too, whose link leads to the next page of the same user', async () => {
  const { ids, list, parties } = await threeLinks();
  const page = await list({ limit: '2' }, { accept: 'text/csv' });
  expect(page.headers['content-type']).toContain('text/csv');
  const [header, ...rows] = page.text.trim().split('\r\n');
  expect(header).toBe('_id,title,url,platform,description,verificationStatus,createdAt,reviewedAt');
  expect(rows.map((row) => row.split(',', 1)[0])).toEqual([ids[2], ids[1]]);
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link)) ?? [];
  const { pathname, searchParams } = new URL(next);
  expect(pathname).toContain(`/api/operator/users/${encodeURIComponent(parties.userId)}/links`);
  expect(searchParams.get('applicationId')).toBe(parties.applicationId);
  const last = await list(Object.fromEntries(searchParams), { accept: 'text/csv' });
  expect(last.text.trim().split('\r\n')).toHaveLength(2);
});

test('links of another application, or of a user without any, are an empty list', async () => {
  const { list } = await threeLinks();
  const { applicationId } = await newTenant();
  expect((await list({ applicationId })).body).toEqual({ trustLinks: [] });
});

test.each([
  [{}, { applicationId: 'other' }, 400],
  [{}, { status: 'Pending' }, 400],
  [{ scopes: ['support', 'finance'] }, {}, 403],
])('a key of %j that asks for %j is refused', async (more, query, status) => {
  const { parties } = await threeLinks();
  const answer = await call('links.user-link-list', {
    headers: bearer(await newOperatorKey(more)),
    params: { userId: parties.userId },
    query: { applicationId: parties.applicationId, ...query },
  });
  expect(answer.status).toBe(status);
});
