import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { call } from '../../../support/call.ts';
import { newParties, submit } from '../../../support/samples/links.ts';
import { asOperator } from '../../../support/samples/operator.ts';
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
