import { afterEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call } from '../../../support/call.ts';
import {
  asApplication,
  decide,
  newParties,
  type Parties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';
import { newOperatorKey } from '../../../support/tenants.ts';

const status = (parties: Parties, body: object) =>
  call('links.status', { headers: asApplication(parties), body });

afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/trust-links/verify', () => {
  test('returns results in the order of the request without duplicates, and counts missing links', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
    const [parties, foreign, operator] = await Promise.all([newParties(), newParties(), newOperatorKey()]);
    const submitted = await submit(parties, 3);
    const [a, b, c] = submitted.body.trustLinks.map(({ _id }: { _id: string }) => _id);
    await decide(operator, a, { decision: 'verified' });
    await decide(operator, b, { decision: 'rejected' });
    const missing = [await submittedId(foreign), newId('lnk', 0), 'nonsense', ''];
    const { body } = await status(parties, { linkIds: [c, missing[0], a, c, ...missing, b, a] });
    const reviewedAt = '2026-03-01T10:00:00.000Z';
    expect(body).toEqual({
      success: true,
      results: [
        { id: c, title: 'Link 3', status: 'pending', reviewedAt: null },
        { id: a, title: 'Link 1', status: 'verified', reviewedAt },
        { id: b, title: 'Link 2', status: 'rejected', reviewedAt },
      ],
      summary: { total: 7, verified: 1, pending: 1, rejected: 1, notFound: 4 },
    });
  });

  test.each<[unknown, string, string]>([
    [[], 'invalid_request', 'linkIds'],
    [['a', null], 'invalid_request', 'linkIds[1]'],
    [Array.from({ length: 101 }, () => newId('lnk', 0)), 'limit_exceeded', 'linkIds'],
  ])('%j is refused', async (linkIds, error, field) => {
    const response = await status(await newParties(), { linkIds });
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(Object.keys(response.body.details)).toContain(field);
  });
});
