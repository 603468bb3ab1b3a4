/** The reads of one record of an application, by an operator who names it. */
import { call, good, goodPlan, newOperatorKey, newSeller } from '../../../support/call.ts';
import { newCustomer } from '../../../support/samples/customers.ts';
import { asOperator } from '../../../support/samples/operator.ts';

/** A subscription with an invoice and a credit note, the requests of each, and one of an operator of these scopes. */
async function prepared() {
  const { seller, id } = await newCustomer();
  const { subscription } = good(await seller.details(id));
  const invoiceId: string = subscription.invoices[0]._id;
  const credited = await call('subscriptions.credit-invoice', {
    headers: { ...seller.headers, 'idempotency-key': invoiceId },
    params: { id: invoiceId },
    body: { amount: 1, reason: 'Too much' },
  });
  const reads = [
    ['subscriptions.read', id],
    ['invoices.read', invoiceId],
    ['invoices.credit-note-read', good(credited).creditNote._id],
  ] as const;
  const readBy = async (scope: string, applicationId: string) => {
    const headers = { 'x-application-id': applicationId };
    const key = await newOperatorKey({ scopes: [scope] });
    return Promise.all(
      reads.map(async ([name, one]) => call(name, await asOperator({ headers, params: { id: one } }, key))),
    );
  };
  return { seller, reads, readBy };
}

test('an operator of finance reads what the application reads, and nothing of another application', async () => {
  const [{ seller, reads, readBy }, other] = await Promise.all([prepared(), newSeller()]);
  const own = await Promise.all(
    reads.map(([name, id]) => call(name, { headers: seller.headers, params: { id } })),
  );
  const answers = await readBy('finance', seller.applicationId);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.map(({ body }) => body)).toEqual(own.map(({ body }) => body));
  // Links to pages for the client have a secret; a record has none of them.
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/https?:|\b(vcs|vak|vok)_/);
  const foreign = await readBy('finance', other.applicationId);
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
  const refused = await readBy('support', seller.applicationId);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('an operator reads a plan of its own application alone', async () => {
  const [{ applicationId: id }, other] = await Promise.all([newSeller(), newSeller()]);
  const { plan } = good(await call('plans.create', await asOperator({ params: { id }, body: goodPlan })));
  const read = async (applicationId: string, planId: string = plan._id) =>
    call('plans.read', await asOperator({ params: { id: applicationId, planId } }));
  expect(good(await read(id)).plan).toEqual(plan);
  const absent = [await read(other.applicationId), await read(id, 'pln_none'), await read('app_none')];
  expect(absent.map(({ status }) => status)).toEqual([404, 404, 404]);
});
