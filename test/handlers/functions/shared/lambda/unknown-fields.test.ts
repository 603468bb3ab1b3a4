import { registeredRoutes } from '../../../../../functions/routes.ts';
import { refusesUnknownFields } from '../../../../../functions/shared/contract/route.ts';
import { call, goodClient, goodPlan, newSeller, newTenant } from '../../../../support/call.ts';
import { asOperator } from '../../../../support/samples/operator.ts';

describe('a misspelt field', () => {
  test.each([
    ['atPeriodend', 'is unknown; did you mean atPeriodEnd?'],
    ['at_period_end', 'is unknown; did you mean atPeriodEnd?'],
    ['later', 'is unknown'],
  ])('%s of a cancellation does not cancel at once', async (field, problem) => {
    const seller = await newSeller();
    const { id } = await seller.subscribed('active');
    const { status, body } = await seller.act('cancel', id, { [field]: true });
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_request', message: expect.any(String), details: { [field]: problem } },
    ]);
    expect((await seller.details(id)).body.subscription.status).toBe('active');
  });

  test.each([
    ['atPeriodEnd', 'is unknown; did you mean atPeriodEnd in the body?'],
    ['later', 'is unknown'],
  ])('%s in the query of a cancellation does not cancel at once', async (field, problem) => {
    const seller = await newSeller();
    const { id } = await seller.subscribed('active');
    const query = { [field]: 'true' };
    const request = { headers: seller.headers, params: { id }, query };
    const { status, body } = await call('subscriptions.cancel', request);
    expect([status, body.details]).toEqual([400, { [field]: problem }]);
    expect((await seller.details(id)).body.subscription.status).toBe('active');
  });

  test('that is null removes nothing from the settings of an application, and is named', async () => {
    const { applicationId } = await newTenant();
    const body = { settings: { tax: { withoutRatee: null }, taxx: null } };
    const request = await asOperator({ params: { id: applicationId }, body });
    const response = await call('applications.update', request);
    expect([response.status, response.body.details]).toEqual([
      400,
      {
        'settings.tax.withoutRatee': 'is unknown; did you mean withoutRate?',
        'settings.taxx': 'is unknown; did you mean tax?',
      },
    ]);
  });

  test('of a payment does not pay all that is open', async () => {
    const seller = await newSeller();
    const { id } = await seller.subscribed('pending');
    const { status, body } = await seller.act('activate', id, { ammount: 1 });
    expect([status, body.details]).toEqual([400, { ammount: 'is unknown; did you mean amount?' }]);
    expect((await seller.details(id)).body.subscription.status).toBe('pending');
  });

  test('of a plan does not sell it without its trial', async () => {
    const { applicationId } = await newTenant();
    const { trialPeriodDays: _, ...plan } = goodPlan;
    const request = { params: { id: applicationId }, body: { ...plan, trialDays: 14 } };
    const { status, body } = await call('plans.create', await asOperator(request));
    expect([status, body.details]).toEqual([400, { trialDays: 'is unknown; did you mean trialPeriodDays?' }]);
  });

  test('is named beside the field that it stands for, which is missing', async () => {
    const { applicationId } = await newTenant();
    const { price: _, ...plan } = goodPlan;
    const request = { params: { id: applicationId }, body: { ...plan, prise: 9 } };
    const { body } = await call('plans.create', await asOperator(request));
    expect(body.details).toEqual({ price: 'is required', prise: 'is unknown; did you mean price?' });
  });
});

test.each([
  ['{"atPeriodEnd":true,"atPeriodEnd":false}', 400],
  ['{"atPeriodEnd":true,"at\\u0050eriodEnd":true}', 400],
  ['{ "atPeriodEnd" : true }', 200],
])('a cancellation has each field once: %s', async (body, expected) => {
  const seller = await newSeller();
  const { id } = await seller.subscribed('active');
  const headers = { ...seller.headers, 'content-type': 'application/json' };
  const { status } = await call('subscriptions.cancel', { headers, params: { id }, body });
  expect(status).toBe(expected);
});

test('operations of the contract ignore unknown fields, and metadata has any', async () => {
  const seller = await newSeller();
  const body = { ...goodClient({ metadata: { anything: { at: ['all'] } } }), nickname: 'Ann' };
  const { status, body: answer } = await call('clients.upsert', { headers: seller.headers, body });
  expect([status, answer.client.metadata]).toEqual([201, { anything: { at: ['all'] } }]);
  expect(answer.client).not.toHaveProperty('nickname');
});

test('of the contract, the cancellation and the activation alone refuse unknown fields: their default is final', () => {
  const refusing = registeredRoutes().filter(
    ({ route }) => route.ofContract !== undefined && refusesUnknownFields(route),
  );
  expect(refusing.map(({ id }) => id)).toEqual(['subscriptions.cancel', 'payments.activate']);
});
