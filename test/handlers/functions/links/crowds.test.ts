import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reviewStore } from '../../../../functions/links/trust-links/review-store.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { call } from '../../../support/call.ts';
import {
  asApplication,
  goodLink,
  linkCall,
  newParties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { putItem } from '../../../support/stored-items.ts';
import { newOperatorKey } from '../../../support/tenants.ts';

// A table of its own: these tests fill the queue.
const sharedTable = process.env.TABLE_NAME;
beforeAll(async () => {
  process.env.TABLE_NAME = `crowds-${randomUUID()}`;
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
});
afterAll(() => {
  process.env.TABLE_NAME = sharedTable;
});

const statuses = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  );

test('twelve concurrent changes of one link are all applied, one after the other', async () => {
  const parties = await newParties();
  const id = await submittedId(parties);
  const changes = Array.from({ length: 12 }, (_, n) =>
    call('links.update', linkCall(parties, id, { title: `Title ${n}` })),
  );
  expect(statuses(await Promise.all(changes))).toEqual({ 200: 12 });
});

test('invalid submissions count against the limit of the application', async () => {
  const parties = await newParties();
  const wrong = Array.from({ length: 60 }, () => submit(parties, []));
  expect(statuses(await Promise.all(wrong))).toEqual({ 400: 50, 429: 10 });
});

test('a missing token gets 401, whatever else is wrong', async () => {
  for (const id of ['links.submit', 'links.status', 'operator.application-create', 'links.review-decide']) {
    const answer = await call(id, { body: {}, params: { id: 'a', linkId: 'a' } });
    expect([answer.status, answer.body.error], id).toEqual([401, 'invalid_token']);
  }
});

test.each([
  [
    '51 links with an invalid one among them',
    [...Array.from({ length: 50 }, () => goodLink), { ...goodLink, url: 'no' }],
  ],
  ['20,000 empty links', Array.from({ length: 20_000 }, () => ({}))],
])('a submission of %s is refused as over the limit', async (_, links) => {
  const answer = await submit(await newParties(), links);
  expect([answer.status, answer.body.error]).toEqual([400, 'limit_exceeded']);
});

test('two user headers are refused as ambiguous', async () => {
  const parties = await newParties();
  const headers = { ...asApplication(parties), 'X-User-Id': 'another' };
  const { handler } = await import('../../../../functions/links/list.ts');
  const { proxyEvent, registered, read } = await import('../../../support/call.ts');
  const event = proxyEvent(registered('links.list'), { headers: asApplication(parties) });
  event.multiValueHeaders['x-user-id'] = [headers['X-User-Id'], parties.userId];
  const answer = read(await handler(event));
  expect([answer.status, answer.body.details]).toEqual([400, { 'x-user-id': 'must be given once' }]);
});

describe('the review queue', () => {
  test('shows every pending link, even where a shard takes several pages of the table', async () => {
    const parties = await newParties();
    const large = {
      title: 'Large',
      url: `https://example.com/${'豪'.repeat(2_020)}`,
      platform: 'page',
      description: '豪'.repeat(1_000),
    };
    const ids = new Set<string>();
    for (let n = 0; n < 8; n += 1) {
      const { body } = await submit(
        parties,
        Array.from({ length: 35 }, () => large),
      );
      for (const { _id } of body.trustLinks) ids.add(_id);
    }
    expect(ids.size).toBe(280);
    const key = await newOperatorKey();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: '200', ...defined({ cursor }) };
      const { body } = await call('links.review-list', await asOperator({ query }, key));
      seen.push(...body.reviews.map(({ linkId }: { linkId: string }) => linkId));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    expect(seen.filter((id) => ids.has(id))).toHaveLength(280);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

test('a very long history is read from its latest entries, including the removal', async () => {
  const linkId = `lnk_${randomUUID()}`;
  for (let from = 2; from < 462; from += 46) {
    await Promise.all(
      Array.from({ length: 46 }, (_, i) =>
        putItem({ ...keys.history(linkId, from + i), revision: from + i, pad: 'x'.repeat(9_000) }),
      ),
    );
  }
  const latest = await reviewStore.history(linkId, 400);
  expect(latest.map(({ revision }) => revision)).toEqual(Array.from({ length: 400 }, (_, i) => 461 - i));
  const earlier = await reviewStore.history(linkId, 400, 62);
  expect(earlier.map(({ revision }) => revision)).toEqual(Array.from({ length: 60 }, (_, i) => 61 - i));
});
