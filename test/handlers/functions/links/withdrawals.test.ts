/** Decisions that are withdrawn, and what a refused decision says. */
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { formatTime } from '../../../../functions/shared/html/text.ts';
import { bearer, call, newSecret } from '../../../support/call.ts';
import { eventsOf } from '../../../support/events.ts';
import { decide, goodLink, listQueue } from '../../../support/samples/links.ts';
import * as reviews from '../../../support/samples/reviews.ts';
import { onOwnTable } from '../../../support/table/own-table.ts';

onOwnTable('withdrawals');
describe('a decision that is withdrawn', () => {
  const withdraw = (operator: string, id: string, revision?: number) =>
    decide(operator, id, {
      decision: 'withdrawn',
      reason: 'The wrong key.',
      ...defined({ revision }),
    });

  test.each(['verified', 'rejected'] as const)(
    'makes a %s link wait with priority, with event, history and audit record',
    async (decision) => {
      vi.useFakeTimers({ toFake: ['Date'], now: reviews.startMs });
      const { parties, operator, id } = await reviews.underReview();
      await decide(operator, id, { decision });
      reviews.at(60);
      const { status, body } = await withdraw(operator, id);
      const trustLink = { _id: id, ...goodLink, verificationStatus: 'pending', createdAt: reviews.isoAt(0) };
      expect([status, body]).toEqual([200, { trustLink }]);
      expect((await listQueue(operator)).find(({ linkId }) => linkId === id)).toMatchObject({
        priority: true,
        submittedAt: reviews.isoAt(60),
        revision: 3,
      });
      expect((await reviews.review(operator, id)).body.history.at(-1)).toMatchObject({
        event: 'withdrawn',
        revision: 3,
        by: { kind: 'operator' },
        reason: 'The wrong key.',
        before: { verificationStatus: decision, reviewedAt: reviews.isoAt(0) },
      });
      const events = await eventsOf(parties.applicationId);
      expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
        [1, `link.${decision}`],
        [2, 'link.pending'],
      ]);
      expect(events.at(-1)?.data).toEqual(trustLink);
      const { actions } = (
        await call('operator.action-list', { headers: bearer(operator), query: { objectId: id } })
      ).body;
      expect(actions[0]).toMatchObject({ action: 'link.decision_withdrawn', reason: 'The wrong key.' });
      const listed = await call('links.decision-list', {
        headers: bearer(operator),
        query: { decision: 'withdrawn' },
      });
      expect(listed.body.reviews).toContainEqual(
        expect.objectContaining({ linkId: id, decision: 'withdrawn', reason: 'The wrong key.' }),
      );
      expect((await decide(operator, id, { decision: 'verified', revision: 3 })).status).toBe(200);
    },
  );

  test('needs a reason', async () => {
    const { parties, operator, id } = await reviews.underReview();
    await decide(operator, id, { decision: 'verified' });
    for (const [reason, problem] of [
      [undefined, 'is required'],
      [' \n', 'must not be blank'],
    ]) {
      const { status, body } = await decide(operator, id, {
        decision: 'withdrawn',
        revision: 2,
        ...defined({ reason }),
      });
      expect([status, body.details]).toEqual([400, { reason: problem }]);
    }
    expect(await reviews.statusOf(parties, id)).toBe('verified');
  });
});

test('a refused decision says what is so: of a decided link by whom and when, of a changed one that it changed, and of a pending one that nothing is decided', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: reviews.startMs });
  const { parties, operator: sam, id } = await reviews.underReview();
  const rita = (await newSecret('operator_key', { name: 'Rita', scopes: ['review'] })).secret;
  const refusal = async (body: Parameters<typeof decide>[2]) => {
    const answer = await decide(sam, id, body);
    return [...reviews.outcome(answer), answer.body.details];
  };
  expect(await refusal({ decision: 'withdrawn', reason: 'x' })).toEqual([
    409,
    'conflict',
    {
      reason: 'The link is pending: there is no decision to withdraw.',
      verificationStatus: 'pending',
      revision: 1,
    },
  ]);
  await decide(rita, id, { decision: 'rejected' });
  for (const revision of [1, 2])
    expect(await refusal({ decision: 'verified', revision })).toEqual([
      409,
      'conflict',
      {
        reason: `The link was rejected by Rita on ${formatTime(reviews.startMs, {})}. Withdraw that decision first.`,
        verificationStatus: 'rejected',
        revision: 2,
      },
    ]);
  await reviews.update(parties, id, { title: 'Another' });
  expect(await refusal({ decision: 'verified', revision: 1 })).toEqual([
    409,
    'conflict',
    { reason: 'The link has changed since you read it.', verificationStatus: 'pending', revision: 3 },
  ]);
});
