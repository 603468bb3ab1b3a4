import type { Invoice } from '../../../functions/invoices/invoice.ts';

const at = (day: number) => Date.UTC(2026, 10, day, 6, 45);

/** An open invoice of the second month, to be paid by bank transfer. */
export function anInvoice(changes: Partial<Invoice> = {}): Invoice {
  const plan = {
    planId: 'pln_1',
    name: 'Pro',
    priceMinor: 129_900,
    currency: 'EUR',
    billingCycle: 'monthly' as const,
  };
  return {
    invoiceId: 'inv_1',
    applicationId: 'app_1',
    externalId: 'user-1',
    subscriptionId: 'sub_1',
    n: 2,
    number: 'INV-7K3M9QXA-2',
    status: 'open',
    gateway: 'none',
    plan,
    currency: 'EUR',
    totalMinor: 129_900,
    lines: [{ description: 'Pro', quantity: 1, amountMinor: 129_900 }],
    periodStartMs: at(28),
    periodEndMs: Date.UTC(2026, 11, 28, 6, 45),
    seller: {
      name: 'Acme Notes Oy',
      banking: {
        accountHolder: 'Acme Notes Oy',
        bankName: 'Example Bank',
        bic: 'EXAMFIHH',
        iban: 'FI2112345600000785',
        accountNumber: '123 456',
        branchCode: '20-00-00',
      },
    },
    customer: { name: 'Matti Meikäläinen', email: 'matti@example.com' },
    paymentReference: 'SUB-7K3M9QXA',
    issuedAtMs: at(21),
    dueAtMs: at(28),
    eventCount: 1,
    ...changes,
  };
}
