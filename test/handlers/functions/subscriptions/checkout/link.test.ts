import { describe, expect, test } from 'vitest';
import { checkoutUrl, invoiceIdOf } from '../../../../../functions/subscriptions/checkout/link.ts';
import { heading, newPayable, openPage } from '../../../../support/subscriptions/payable-invoices.ts';

const tokenFor = async (invoiceId: string) => (await checkoutUrl('', invoiceId)).slice('/checkout/'.length);

describe('a payment link', () => {
  test('is always the same, and leads to its invoice', async () => {
    const url = await checkoutUrl('https://api.example/v1', 'inv_1');
    expect(url).toMatch(/^https:\/\/api\.example\/v1\/checkout\/inv_1\.[\w-]{22}$/);
    expect(await checkoutUrl('https://api.example/v1', 'inv_1')).toBe(url);
    expect(await invoiceIdOf(await tokenFor('inv_1'))).toBe('inv_1');
  });

  test('gets the same answer when it is forged, of a missing invoice, or of one paid by bank transfer', async () => {
    const { invoice, token } = await newPayable('sandbox');
    const { token: offline } = await newPayable('none');
    const tokens = [`${invoice.invoiceId}.${'A'.repeat(22)}`, await tokenFor('inv_none'), offline];
    const responses = await Promise.all(tokens.map(openPage));
    expect(responses.map((response) => [response.status, heading(response)])).toEqual(
      tokens.map(() => [404, 'Page not found']),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await openPage(token)).status).toBe(200);
  });
});
