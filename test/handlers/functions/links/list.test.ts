import { call, newOperatorKey } from '../../../support/call.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import {
  asApplication,
  decide,
  goodLink,
  linkCall,
  newParties,
  type Parties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';

const list = (parties: Parties, query: Record<string, string> = {}) =>
  call('links.list', { headers: asApplication(parties), query });
type Listed = { _id: string; title: string; verificationStatus: string };
const ids = (links: Listed[]) => links.map(({ _id }) => _id);

/** Advances the clock by a second, so that requests stay within the rate limit of the application. */
function tick() {
  vi.setSystemTime(Date.now() + 1_000);
}

/** All pages. `between` runs after each. */
async function pages(parties: Parties, query: Record<string, string>, between?: () => Promise<unknown>) {
  const answers = await pagesOf((place) => {
    tick();
    return list(parties, { ...query, ...place });
  }, between);
  const found: Listed[][] = answers.map(({ trustLinks }) => trustLinks);
  return { links: found.flat(), sizes: found.map((links) => links.length) };
}

async function withLinks(count: number): Promise<{ parties: Parties; submitted: string[] }> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const parties = await newParties();
  const submitted: string[] = [];
  for (let left = count; left > 0; left -= 50) {
    tick();
    const { body } = await submit(parties, Math.min(left, 50));
    submitted.push(...ids(body.trustLinks));
  }
  return { parties, submitted };
}

test('lists complete links, newest first, the last link of a submission as its newest', async () => {
  const { parties, submitted } = await withLinks(3);
  tick();
  submitted.push(await submittedId(parties));
  const { body } = await list(parties);
  expect(ids(body.trustLinks)).toEqual(submitted.toReversed());
  expect(body).not.toHaveProperty('nextCursor');
  expect(body.trustLinks[0]).toEqual({
    _id: submitted[3],
    ...goodLink,
    verificationStatus: 'pending',
    createdAt: new Date().toISOString(),
  });
});

test('the filter shows exactly the links with the status, newest first, after each change of status', async () => {
  const { parties, submitted } = await withLinks(9);
  const operator = await newOperatorKey();
  for (const [i, id] of submitted.entries()) {
    tick();
    if (i % 3 > 0) await decide(operator, id, { decision: i % 3 === 1 ? 'verified' : 'rejected' });
  }
  const of = (rest: number) => submitted.filter((_, i) => i % 3 === rest).toReversed();
  for (const [rest, status] of ['pending', 'verified', 'rejected'].entries()) {
    tick();
    expect(ids((await list(parties, { status })).body.trustLinks)).toEqual(of(rest));
    expect(ids((await pages(parties, { status, limit: '2' })).links)).toEqual(of(rest));
  }
  await call('links.update', linkCall(parties, submitted[1] ?? '', { title: 'New' }));
  expect(ids((await list(parties, { status: 'verified' })).body.trustLinks)).not.toContain(submitted[1]);
  expect(ids((await list(parties, { status: 'pending' })).body.trustLinks)).toContain(submitted[1]);
});

test('pages of 120 links have no gaps and no duplicates, also while links are added, removed and changed', async () => {
  const { parties, submitted } = await withLinks(120);
  const unchanged = await pages(parties, { limit: '50' });
  expect(unchanged.sizes).toEqual([50, 50, 20]);
  expect(ids(unchanged.links)).toEqual(submitted.toReversed());

  const removed: string[] = [];
  const changing = await pages(parties, { limit: '25' }, async () => {
    // Removes a link that was listed already and one that was not, and adds a new one.
    for (const id of [submitted.at(-1 - removed.length), submitted[removed.length]]) {
      tick();
      if (id === undefined) continue;
      await call('links.remove', linkCall(parties, id));
      removed.push(id);
    }
    tick();
    await submittedId(parties);
    await call('links.update', linkCall(parties, submitted[60] ?? '', { title: `At ${Date.now()}` }));
  });
  const listed = ids(changing.links);
  expect(new Set(listed).size).toBe(listed.length);
  for (const id of submitted) if (!removed.includes(id)) expect(listed).toContain(id);
  for (const id of listed) expect(submitted).toContain(id);
});

test.each([{ status: 'Pending' }, { userId: 'somebody-else' }])(
  'a list with %j is refused',
  async (query) => {
    const response = await list(await newParties(), query as Record<string, string>);
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(Object.keys(response.body.details)).toEqual(Object.keys(query));
  },
);
