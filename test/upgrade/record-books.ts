import { defined } from '../../functions/shared/contract/defined.ts';
import { reportAtStripe } from './record-payments.ts';
import { bearer, ok, type Tenants } from './records.ts';
import type { StackAt } from './stack.ts';

const address = { line1: 'Example Street 1', city: 'Berlin', postalCode: '10115', country: 'DE' };

/**
 * An application with a series of numbers and tax: seats, a planned change, a credit note, credit of a client. And payments
 * in every state, of it and of the application with Stripe.
 */
export async function createBooks(stack: StackAt, operatorKey: string, tenants: Tenants) {
  const operate = async (path: string, body: object) =>
    ok(await stack.sendJson('POST', `/api/operator/applications${path}`, body, bearer(operatorKey)));
  const { application, apiKey } = await operate('', {
    name: 'Seller books',
    redirectUris: ['https://app.example/callback'],
    settings: {
      invoices: { numbering: 'seller' },
      seller: { legalName: 'Example Ltd', address },
      tax: { rates: [{ country: 'DE', percent: 19 }] },
    },
  });
  const seller = stack.known(application._id, apiKey);
  const plan = async (name: string, price: number): Promise<string> => {
    const fields = { name, price, currency: 'EUR', billingCycle: 'monthly', quantity: { min: 1, max: 10 } };
    return (await operate(`/${application._id}/plans`, fields)).plan._id;
  };
  const large = await plan('Large', 30);
  const small = await plan('Small', 5);
  const command = async (id: string, what: string, body?: object) =>
    ok(await seller.call('POST', `/subscriptions/${id}${what}`, body));
  const seats = async (name: string): Promise<string> => {
    await stack.clockBy(1);
    const { id } = await seller.subscribe(await seller.client(name), large, { quantity: 3 });
    await command(id, '/activate');
    return id;
  };
  const planned = await seats('planned');
  await command(planned, '/change', { planId: small });
  const credited = await seats('credited');
  await command(credited, '/change', { planId: small, when: 'now' });
  const pay = async (fields: object, paymentId: string): Promise<string> => {
    const body = { amount: 200, currency: 'EUR', paymentId, ...fields };
    return ok(await seller.call('POST', '/api/v1/payments', body)).payment._id;
  };
  const open = await seller.subscribe(await seller.client('partial'), large, { quantity: 2 });
  const payments = {
    partial: await pay({ subscriptionId: open.id, amount: 10 }, 'partial'),
    credit: await pay({ subscriptionId: planned }, 'credit'),
    unapplied: await pay({ reference: 'nothing that we know' }, 'unapplied'),
    returned: await pay({ reference: 'sent back' }, 'returned'),
  };
  ok(await seller.call('POST', `/api/v1/payments/${payments.returned}/return`, {}));
  await payAtStripe(stack, tenants);
  return { _id: String(application._id), apiKey: String(apiKey), planned, credited, open: open.id, payments };
}

async function payAtStripe(stack: StackAt, tenants: Tenants): Promise<void> {
  const merchant = stack.known(tenants.stripe._id, tenants.stripe.apiKey);
  const { id } = await merchant.subscribe(await merchant.client('debit'), tenants.stripe.plans.paid);
  const invoiceId = (await merchant.read(id)).invoices[0]?._id;
  await reportAtStripe(stack, tenants, { name: 'debit', kind: 'unpaid', ...defined({ invoiceId }) });
}
