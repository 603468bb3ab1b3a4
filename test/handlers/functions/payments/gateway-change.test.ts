import { call, deliverOutboxOf, type Gateway, good, newSeller, newTenant } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { StripeApi } from '../../../support/payments/stripe-api.ts';
import { asOperator, newApplication } from '../../../support/samples/operator.ts';
import {
  choose,
  heading,
  newPayable,
  now,
  openPage,
  statuses,
} from '../../../support/subscriptions/payable-invoices.ts';
import { storedSubscription } from '../../../support/subscriptions/stored-state.ts';

let stripe: StripeApi;
beforeAll(async () => {
  stripe = await StripeApi.start();
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => stripe.stop());

type Seller = { applicationId: string };
const change = async ({ applicationId }: Seller, settings: object) =>
  call('applications.update', await asOperator({ params: { id: applicationId }, body: { settings } }));
const changeGateway = async (seller: Seller, paymentGateway: Gateway) =>
  good(await change(seller, { paymentGateway }));
const payment = 'TransactWriteItemsCommand';
const sandboxOff = () => vi.stubEnv('SANDBOX_GATEWAY', 'false');

describe('a checkout link pays through the gateway that the application has now', () => {
  test('from the sandbox to Stripe: the page redirects to Stripe, and a form that was open pays nothing', async () => {
    const payable = await newPayable('sandbox');
    stripe.keysOf(payable.tenant.applicationId);
    await changeGateway(payable.tenant, 'stripe');
    const submitted = await choose(payable.token, 'pay');
    expect([submitted.status, heading(submitted)]).toEqual([409, 'The way to pay has changed']);
    const page = await openPage(payable.token);
    expect([page.status, new URL(page.headers.location ?? '').pathname]).toEqual([
      303,
      expect.stringContaining('/pay/'),
    ]);
    expect(await statuses(payable)).toEqual(['open', 'pending']);
  });

  test('the checkout at Stripe of an invoice that was issued for the sandbox is closed with the invoice', async () => {
    const seller = await newSeller('sandbox');
    stripe.keysOf(seller.applicationId);
    const { subscription, checkoutUrl } = good(await seller.subscribe());
    await changeGateway(seller, 'stripe');
    await openPage(decodeURIComponent(checkoutUrl.split('/').at(-1)));
    good(await seller.act('cancel', subscription._id));
    const { externalId } = good(
      await call('subscriptions.read', {
        headers: { authorization: `Bearer ${seller.apiKey}` },
        params: { id: subscription._id },
      }),
    ).subscription;
    const stored = await storedSubscription(seller, externalId);
    await deliverOutboxOf(stored.subscription);
    const { checkoutId = '' } = stored.invoices[0] ?? {};
    expect(stripe.sessions.all.get(checkoutId)?.status).toBe('expired');
  });

  test('a change during a payment in the sandbox comes after the payment or prevents it, at every moment', async () => {
    const calls = new Set<string>();
    for (let index = 0; ; index += 1) {
      const payable = await newPayable('sandbox');
      const operator = await asOperator({
        params: { id: payable.tenant.applicationId },
        body: { settings: { paymentGateway: 'stripe' } },
      });
      let isChanged = false;
      const fault = failTable(async (_command, i) => {
        if (i !== index) return undefined;
        good(await call('applications.update', operator));
        isChanged = true;
        return undefined;
      });
      const submitted = await choose(payable.token, 'pay').finally(fault.restore);
      if (!isChanged) break;
      const wasPaid = fault.calls.slice(0, index).includes(payment);
      expect(await statuses(payable), `call ${index}`).toEqual(
        wasPaid ? ['paid', 'active'] : ['open', 'pending'],
      );
      expect(submitted.status).toBe(wasPaid ? 303 : 409);
      calls.add(fault.calls[index] ?? '');
    }
    expect(calls).toContain(payment);
  });

  test('from Stripe to the sandbox: the sandbox pays, and reverses no payment that was made at Stripe', async () => {
    const payable = await newPayable('stripe', {
      invoice: { status: 'paid', paymentId: 'pi_1', paidAtMs: 1 },
    });
    await changeGateway(payable.tenant, 'sandbox');
    const before = await now(payable);
    expect((await openPage(payable.token)).text).not.toContain('Take the payment back');
    expect((await choose(payable.token, 'reverse')).status).toBe(303);
    expect(await now(payable)).toEqual(before);
    const other = await newPayable('stripe');
    await changeGateway(other.tenant, 'sandbox');
    expect((await choose(other.token, 'pay')).status).toBe(303);
    expect(await statuses(other)).toEqual(['paid', 'active']);
  });

  test('to bank transfer: the page says that nothing can be paid there, and other callers get a conflict', async () => {
    const payable = await newPayable('sandbox');
    await changeGateway(payable.tenant, 'none');
    const page = await openPage(payable.token);
    expect([page.status, heading(page)]).toEqual([409, 'This invoice cannot be paid here now']);
    const { status, body } = await call('payments.checkout-show', { params: { token: payable.token } });
    const details = { paymentGateway: 'is none: invoices are paid by bank transfer' };
    expect([status, body]).toMatchObject([409, { error: 'conflict', details }]);
    expect((await choose(payable.token, 'pay')).status).toBe(409);
    expect(await statuses(payable)).toEqual(['open', 'pending']);
  });
});

describe('where the sandbox is off', () => {
  test('an operator can neither create an application with it nor change one to it', async () => {
    sandboxOff();
    const details = {
      'settings.paymentGateway': expect.stringContaining('the sandbox is off in this deployment'),
    };
    const settings = { paymentGateway: 'sandbox' };
    const created = await call(
      'applications.create',
      await asOperator({ body: { ...newApplication, settings } }),
    );
    expect([created.status, created.body]).toMatchObject([400, { error: 'invalid_request', details }]);
    const tenant = await newTenant({ paymentGateway: 'stripe' });
    const updated = await change(tenant, settings);
    expect([updated.status, updated.body]).toMatchObject([400, { error: 'invalid_request', details }]);
    const read = await call('applications.read', await asOperator({ params: { id: tenant.applicationId } }));
    expect(read.body.application.settings).toEqual({ paymentGateway: 'stripe' });
    await changeGateway(tenant, 'none');
  });

  test('an application that has it already sells nothing, opens no checkout, and its page pays and reverses nothing', async () => {
    const payable = await newPayable('sandbox');
    const paid = await newPayable('sandbox');
    await choose(paid.token, 'pay');
    sandboxOff();
    const created = await payable.tenant.subscribe();
    expect([created.status, created.body]).toMatchObject([
      409,
      {
        error: 'conflict',
        details: {
          paymentGateway: 'is sandbox, which is off in this deployment: an operator has to change it',
        },
      },
    ]);
    const page = await openPage(payable.token);
    expect([page.status, heading(page)]).toEqual([409, 'This invoice cannot be paid here now']);
    expect(page.text).not.toContain('<form');
    const { status, body } = await call('payments.checkout-show', { params: { token: payable.token } });
    const details = { paymentGateway: 'is sandbox, which is off in this deployment' };
    expect([status, body]).toMatchObject([409, { error: 'conflict', details }]);
    const submitted = await choose(payable.token, 'pay');
    expect([submitted.status, heading(submitted)]).toEqual([409, 'The way to pay has changed']);
    expect(await statuses(payable)).toEqual(['open', 'pending']);
    expect((await openPage(paid.token)).text).not.toContain('Take the payment back');
    expect((await choose(paid.token, 'reverse')).status).toBe(409);
    expect(await statuses(paid)).toEqual(['paid', 'active']);
  });
});
