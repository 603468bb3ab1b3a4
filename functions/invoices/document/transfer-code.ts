import { decimalsOf } from '../../shared/money/money.ts';
import { dueMinor } from '../due.ts';
import type { Invoice } from '../invoice.ts';
import { transferReference } from './transfer-reference.ts';

/** EPC069-12: EUR 0.01 to 999,999,999.99, and a name of at most 70 characters. */
const maxMinor = 99_999_999_999;
const maxName = 70;

/**
 * The contents of the QR code with which an app of a bank fills in the transfer for an open invoice: EPC069-12, "Quick
 * Response Code: Guidelines to Enable Data Capture for the Initiation of a SEPA Credit Transfer", version 002. Undefined
 * when the invoice cannot be paid that way.
 */
export function transferCode(invoice: Invoice): string | undefined {
  const { status, seller, currency } = invoice;
  const reference = transferReference(invoice);
  const amountMinor = dueMinor(invoice);
  const iban = seller.banking?.iban;
  if (status !== 'open' || reference === undefined || iban === undefined) return undefined;
  if (amountMinor < 1 || amountMinor > maxMinor) return undefined;
  const { bic = '', accountHolder } = seller.banking ?? { accountHolder: '' };
  const decimals = decimalsOf(currency);
  return [
    'BCD',
    '002',
    // UTF-8.
    '1',
    'SCT',
    bic.replaceAll(/\s/g, '').toUpperCase(),
    [...accountHolder].slice(0, maxName).join(''),
    iban.replaceAll(/\s/g, '').toUpperCase(),
    `${currency}${(amountMinor / 10 ** decimals).toFixed(decimals)}`,
    // The purpose.
    '',
    reference,
  ].join('\n');
}
