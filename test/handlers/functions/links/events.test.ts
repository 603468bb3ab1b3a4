/** Events of links for applications. */
import { call, newOperatorKey } from '../../../support/call.ts';
import { eventsOf } from '../../../support/events.ts';
import { loseAnswersTo } from '../../../support/interruptions/between.ts';
import { decide, linkCall, newParties, type Parties, submittedId } from '../../../support/samples/links.ts';

const read = async (parties: Parties, id: string) =>
  (await call('links.read', linkCall(parties, id))).body.trustLink;
const update = (parties: Parties, id: string, body: object) =>
  call('links.update', linkCall(parties, id, body));
const remove = (parties: Parties, id: string) => call('links.remove', linkCall(parties, id));

const told = async ({ applicationId }: Parties) =>
  (await eventsOf(applicationId)).map(({ type, sequence }) => [sequence, type]);

const ready = async () => {
  const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
  return { parties, operator, id: await submittedId(parties) };
};

describe('the events of a link', () => {
  test('follow its life without a gap, each with the link as a read shows it then', async () => {
    const { parties, operator, id } = await ready();
    const { applicationId } = parties;
    const latest = async () => (await eventsOf(applicationId)).at(-1);
    expect(await eventsOf(applicationId)).toEqual([]);

    await decide(operator, id, { decision: 'verified' });
    expect(await latest()).toMatchObject({ type: 'link.verified', sequence: 1 });
    expect((await latest())?.data).toEqual(await read(parties, id));

    await update(parties, id, { title: 'Another title', description: '' });
    expect(await latest()).toMatchObject({ type: 'link.pending', sequence: 2 });
    expect((await latest())?.data).toEqual(await read(parties, id));

    await decide(operator, id, { decision: 'rejected', reason: 'Not theirs' });
    expect(await latest()).toMatchObject({ type: 'link.rejected', sequence: 3 });
    expect((await latest())?.data).toEqual(await read(parties, id));

    await update(parties, id, { title: 'A third title' });
    expect(await latest()).toMatchObject({ type: 'link.pending', sequence: 4 });

    const last = await read(parties, id);
    await remove(parties, id);
    expect(await latest()).toMatchObject({ type: 'link.removed', sequence: 5 });
    expect((await latest())?.data).toEqual(last);
    expect(await eventsOf(applicationId)).toHaveLength(5);
  });

  test('do not contain the submission, an update of a pending link, or one that changes nothing', async () => {
    const { parties, operator, id } = await ready();
    await update(parties, id, { title: 'Another title' });
    expect(await told(parties)).toEqual([]);
    await decide(operator, id, { decision: 'verified' });
    await update(parties, id, { title: 'Another title' });
    expect(await told(parties)).toEqual([[1, 'link.verified']]);
  });

  test('go to the application that submitted it, and say nothing of the reviewer', async () => {
    const { parties, operator, id } = await ready();
    const other = await newParties();
    await submittedId({ ...other, userId: parties.userId });
    await decide(operator, id, { decision: 'rejected', reason: 'Not theirs' });
    expect(await told(other)).toEqual([]);
    const [event] = await eventsOf(parties.applicationId);
    expect(JSON.stringify(event)).not.toContain('Not theirs');
  });
});

describe('an event of a link', () => {
  test.each([1, 3])('is made once when %i answers of the table are lost', async (lost) => {
    const { parties, operator, id } = await ready();
    const loss = loseAnswersTo('TransactWriteItemsCommand', lost);
    const { status } = await decide(operator, id, { decision: 'verified', revision: 1 }).finally(
      loss.restore,
    );
    expect(status).toBe(lost < 3 ? 200 : 500);
    const repeated = await decide(operator, id, { decision: 'verified', revision: 1 });
    expect([repeated.status, repeated.body.trustLink.verificationStatus]).toEqual([200, 'verified']);
    expect(await told(parties)).toEqual([[1, 'link.verified']]);
  });
});
