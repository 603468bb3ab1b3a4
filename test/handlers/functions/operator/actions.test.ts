/** The list of everything that operators do. The first tests hold for every route that an operator key may change something with. */

import { registeredRoutes } from '../../../../functions/routes.ts';
import { actions } from '../../../../functions/shared/contract/audit.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import type { Route } from '../../../../functions/shared/contract/route.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, type Call, call, good, newSecret } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { samples } from '../../../support/samples/requests.ts';
import { goodWebhook } from '../../../support/samples/webhooks.ts';

const routes = registeredRoutes()
  .map(({ id, route }): { id: string; route: Route } => ({ id, route }))
  .filter(({ route }) => route.operatorScope !== undefined && route.method !== 'GET');

/** A repeat of these does something again. The others are done once. */
const doneAgain = [
  'applications.create',
  'operator.operator-key-create',
  'plans.create',
  'statements.create',
  'subscriptions.credit-invoice',
  'users.enrolment-link-send',
  'users.reset',
  'webhooks.webhook-create',
  'webhooks.webhook-rotate',
  'webhooks.webhook-test',
];

/** Two transactions: each of two operators can do one of them. */
const doneInParts = ['payments.reallocate'];

/** Bodies in place of those of the samples, which change nothing, or are for a key of an application. */
const bodies: Readonly<Record<string, object>> = {
  'plans.update': { name: 'Pro 2' },
  'webhooks.webhook-create': goodWebhook({ types: ['subscription.*'] }),
};

const newOperator = (more: Record<string, unknown> = {}) => newSecret('operator_key', more);

/** The sample of a route as the request of an operator, who names the application of the sample. */
async function requestOf(id: string, secret: string): Promise<Call> {
  // The mails of other tests are not of this request.
  if (id === 'operator.mail-redrive-all') await call(id, await asOperator({}));
  const sample: Call = Object.assign({}, await samples[id]?.(), defined({ body: bodies[id] }));
  const headers = { ...sample.headers, ...bearer(secret) };
  const [, apiKey] = /^Bearer (vak_.+)$/.exec(sample.headers?.authorization ?? '') ?? [];
  const owner = apiKey && (await getItem(keys.secret('api_key', secretHash(apiKey))));
  return {
    ...sample,
    headers: owner ? { ...headers, 'x-application-id': String(owner.applicationId) } : headers,
  };
}

const listed = async (query: Record<string, string>) =>
  good(await call('operator.action-list', await asOperator({ query })));

const actionsWith = async (keyId: string) => (await listed({ keyId })).actions;

describe.each(routes)('$id', ({ id, route }) => {
  test('leaves one record of the operator, in the transaction that does it, and none when it is refused or fails', async () => {
    const { secret, keyId } = await newOperator();
    const request = await requestOf(id, secret);
    const powerless = await newOperator({ scopes: [] });
    const refused = { ...request, headers: { ...request.headers, ...bearer(powerless.secret) } };
    expect((await call(id, refused)).status).toBe(403);
    expect(await actionsWith(powerless.keyId)).toEqual([]);
    const failing = failTable((command) =>
      command === 'TransactWriteItemsCommand' ? new Error('the connection broke') : undefined,
    );
    expect((await call(id, request).finally(failing.restore)).status).toBe(500);
    expect(await actionsWith(keyId)).toEqual([]);
    const written: object[] = [];
    const watch = failTable((_command, _index, input) => {
      const { TransactItems = [] } = input as { TransactItems?: { Put?: { Item: { pk: string } } }[] };
      const [record, ...others] = TransactItems.filter(({ Put }) => Put?.Item.pk.startsWith('AUDIT#'));
      if (record !== undefined) written.push({ others: others.length, isAlone: TransactItems.length === 1 });
      return undefined;
    });
    expect((await call(id, request).finally(watch.restore)).status).toBe(route.status ?? 200);
    expect(written[0]).toBeDefined();
    for (const one of written) expect(one).toEqual({ others: 0, isAlone: false });
    const records = await actionsWith(keyId);
    expect(records).toEqual([
      expect.objectContaining({
        action: expect.toSatisfy((action) => actions.includes(action)),
        by: { kind: 'operator', id: keyId, name: 'Olga Operator', from: expect.any(String) },
        object: expect.objectContaining({ id: expect.any(String) }),
      }),
    ]);
    const [{ action, object }] = records;
    expect(action.startsWith(`${object.kind}.`)).toBe(true);
    const applicationId = request.headers?.['x-application-id'];
    if (applicationId !== undefined) expect(object.applicationId).toBe(applicationId);
  });

  test('that two operators ask for at the same time leaves a record of each time it is done', async () => {
    const one = await newOperator();
    const other = await newOperator();
    const request = await requestOf(id, one.secret);
    const again = { ...request, headers: { ...request.headers, ...bearer(other.secret) } };
    const answers = await Promise.all([call(id, request), call(id, again)]);
    expect(answers.map(({ status }) => status)).toContain(route.status ?? 200);
    await call(id, again);
    const records = [...(await actionsWith(one.keyId)), ...(await actionsWith(other.keyId))];
    if (doneAgain.includes(id)) expect(records.length).toBeGreaterThan(1);
    else if (doneInParts.includes(id)) expect([1, 2]).toContain(records.length);
    else expect(records).toHaveLength(1);
  });
});

test('a reallocation that ends half way has a record, and so has the one that goes on', async () => {
  const one = await newOperator();
  const request = await requestOf('payments.reallocate', one.secret);
  let transactions = 0;
  const { restore } = failTable((command) => {
    transactions += Number(command === 'TransactWriteItemsCommand');
    return transactions > 1 ? new Error('the connection broke') : undefined;
  });
  expect((await call('payments.reallocate', request).finally(restore)).status).toBe(500);
  const other = await newOperator();
  const headers = { ...request.headers, ...bearer(other.secret) };
  good(await call('payments.reallocate', Object.assign({}, request, { headers })));
  for (const { keyId } of [one, other])
    expect(await actionsWith(keyId)).toMatchObject([{ action: 'payment.reallocated' }]);
});

test('there are many such routes, and every exception is one of them', () => {
  expect(routes.length).toBeGreaterThan(30);
  const exceptions = [...doneAgain, ...doneInParts, ...Object.keys(bodies)];
  expect(exceptions.filter((id) => !routes.some((route) => route.id === id))).toEqual([]);
});
