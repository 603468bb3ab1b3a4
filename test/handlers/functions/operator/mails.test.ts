import { handler as drainOutboxes } from '../../../../functions/notices/drain.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, newOperatorKey, newSeller, noonMs, putItem, type Tenant } from '../../../support/call.ts';
import { failMail, refusedBySes } from '../../../support/faults.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { givenUpMail } from '../../../support/notices/given-up.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { clientOf } from '../../../support/subscriptions/stored-state.ts';
import { startTimers, type TestTime } from '../../../support/subscriptions/timers.ts';

let time: TestTime;
let key: string;
beforeEach(async () => {
  // A table of its own, which has no mails of other tests.
  time = await startTimers({ startMs: noonMs, task: async (input) => ({ ...input, stage: 'end' }) });
  key = await newOperatorKey();
});
afterEach(() => time.stop());

const list = async (query: Record<string, string> = {}) =>
  (await call('operator.mail-list', await asOperator({ query }, key))).body;
const redrive = async (mailId: string) =>
  call('operator.mail-redrive', await asOperator({ params: { mailId } }, key));
const redriveAll = async () => (await call('operator.mail-redrive-all', await asOperator({}, key))).body;
const mailsOf = async (seller: Tenant, externalId: string) =>
  mailsTo((await clientOf(seller, externalId))?.email ?? '');

test('a mail that was given up is listed, sent again by a redrive, and no longer listed', async () => {
  const seller = await newSeller();
  const { id, externalId } = await seller.brought('pending');
  vi.setSystemTime(noonMs + 3 * dayMs);
  const fault = failMail(() => refusedBySes('Throttling'));
  await drainOutboxes().finally(fault.restore);
  const { mails } = await list();
  expect(mails).toEqual([
    {
      _id: `${id}:invoice#1`,
      applicationId: seller.applicationId,
      subscriptionId: id,
      kind: 'invoice',
      createdAt: new Date(noonMs).toISOString(),
      status: 'given_up',
      givenUpAt: new Date(noonMs + 3 * dayMs).toISOString(),
      attempts: 1,
      possibleCopies: 0,
      failure: 'Throttling',
    },
  ]);
  expect((await redrive(mails[0]._id)).body).toEqual({ success: true });
  expect(await list()).toEqual({ mails: [] });
  await drainOutboxes();
  expect(await mailsOf(seller, externalId)).toHaveLength(1);
  expect((await redrive(mails[0]._id)).body).toEqual({ success: true });
  await drainOutboxes();
  expect(await mailsOf(seller, externalId)).toHaveLength(1);
});

test('a mail that was given up while it was held is sent by a redrive at once', async () => {
  const seller = await newSeller();
  const { id, externalId } = await seller.brought('pending');
  const entry = keys.outbox(id, 'invoice#1');
  const held = { heldUntilMs: noonMs + dayMs, heldBy: 'recipient', due: keys.heldPartition(0) };
  await putItem(Object.assign({}, await getItem(entry), held));
  const mailId = `${id}:invoice#1`;
  const giveUp = await call('operator.mail-give-up', await asOperator({ params: { mailId } }, key));
  expect(giveUp.status).toBe(200);
  expect((await redrive(mailId)).status).toBe(200);
  await drainOutboxes();
  expect(await mailsOf(seller, externalId)).toHaveLength(1);
});

test.each([
  ['alone', redrive],
  ['with all others', redriveAll],
])('a redrive of a mail %s is among the actions on the objects of its application', async (_name, send) => {
  const id = await givenUpMail(noonMs);
  const [{ applicationId }] = (await list()).mails;
  await send(id);
  const { actions } = (await call('operator.action-list', await asOperator({ query: { applicationId } })))
    .body;
  expect(actions).toMatchObject([{ action: 'mail.redriven', object: { kind: 'mail', id, applicationId } }]);
});

test('many given-up mails are listed page by page, the longest given up first, and redriven together', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.push(await givenUpMail(noonMs + i));
  const pages = await pagesOf(async (place) =>
    call('operator.mail-list', await asOperator({ query: { limit: '3', ...place } }, key)),
  );
  expect(pages.flatMap(({ mails }) => mails.map(({ _id }: { _id: string }) => _id))).toEqual(ids);
  expect(await redriveAll()).toEqual({ redriven: 7, hasMore: false });
  expect(await redriveAll()).toEqual({ redriven: 0, hasMore: false });
});
