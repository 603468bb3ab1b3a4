/** Answers that would be larger than Lambda returns. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { goodLink, linkCall, newParties, submit, submittedId } from '../../../support/samples/links.ts';
import { putItem } from '../../../support/stored-items.ts';
import { bearer, newOperatorKey } from '../../../support/tenants.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

const quoted = {
  title: '"'.repeat(200),
  url: `https://example.com/?${'"'.repeat(2_000)}`,
  platform: '"'.repeat(50),
  description: '"'.repeat(1_000),
};

/** All pages of a review, the latest events first. */
async function reviewed(linkId: string, query: Record<string, string> = {}) {
  const headers = bearer(await newOperatorKey());
  const pages: { history: { revision: number; event: string; before?: object }[] }[] = [];
  let cursor: string | undefined;
  do {
    const request = { headers, params: { linkId }, query: { ...query, ...defined({ cursor }) } };
    const { status, body } = await call('links.review-read', request);
    expect(status).toBe(200);
    pages.push(body);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Stores events as an update writes them, from the second revision on. */
async function putHistory(linkId: string, count: number, before: object): Promise<void> {
  for (let from = 2; from < count + 2; from += 43) {
    const revisions = Array.from({ length: Math.min(43, count + 2 - from) }, (_, i) => from + i);
    await Promise.all(
      revisions.map((revision) =>
        putItem({
          ...keys.history(linkId, revision),
          revision,
          event: 'changed',
          atMs: revision,
          by: { kind: 'application', id: 'app_1' },
          before,
        }),
      ),
    );
  }
}

async function changedLink(count: number, text: (length: number) => string) {
  const parties = await newParties();
  const linkId = await submittedId(parties);
  const before = { title: text(200), platform: text(50), description: text(1_000), url: quoted.url };
  await putHistory(linkId, count, before);
  const key = keys.link(parties.applicationId, parties.userId, linkId);
  const link = await getItem(key);
  await putItem({ ...link, ...key, title: text(200), description: text(1_000), revision: count + 1 });
  return { parties, linkId, before };
}

test.each([['quotes', (length: number) => '"'.repeat(length)]])(
  'a review of a link that was updated 430 times with %s is read in pages',
  async (_, text) => {
    const { linkId, before } = await changedLink(430, text);
    const pages = await reviewed(linkId);
    const history = pages.toReversed().flatMap((page) => page.history);
    expect(history.map(({ revision }) => revision)).toEqual(Array.from({ length: 431 }, (_, i) => i + 1));
    expect(pages.length).toBeGreaterThan(1);
    expect(history[0]?.event).toBe('submitted');
    expect(history.at(-1)?.before).toEqual(before);
    expect(pages[0]).toMatchObject({ revision: 431, trustLink: { title: text(200) } });
  },
);

test('control characters are refused in new texts, and a link that has them can still be read and updated', async () => {
  const { parties, linkId } = await changedLink(1, () => 'before\u0001');
  for (const field of ['title', 'platform', 'description']) {
    const { status, body } = await call('links.update', linkCall(parties, linkId, { [field]: 'a\u0001' }));
    expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'invalid_request', [field]]);
    const created = await submit(parties, [{ ...goodLink, [field]: 'a\u202eb' }]);
    expect([created.status, Object.keys(created.body.details)]).toEqual([400, [`links[0].${field}`]]);
  }
  const url = 'https://b.example/';
  const updated = await call('links.update', linkCall(parties, linkId, { url, description: 'a\n\tb\r\n' }));
  expect(updated.status).toBe(200);
  const { body } = await call('links.read', linkCall(parties, linkId));
  expect(body.trustLink).toMatchObject({ title: 'before\u0001', url, description: 'a\n\tb\r\n' });
});
