import { decimalsOf } from '../../shared/money/money.ts';
import type { IssuedInvoice } from './issued.ts';
import { transferReference } from './transfer-reference.ts';

/** EPC069-12: EUR 0.01 to 999,999,999.99, a name of at most 70 characters, and at most 331 bytes in all. */
const maxMinor = 99_999_999_999;
const maxName = 70;
const maxBytes = 331;

/**
 * The contents of the QR code with which an app of a bank fills in the transfer for an invoice: EPC069-12, "Quick
 * Response Code: Guidelines to Enable Data Capture for the Initiation of a SEPA Credit Transfer", version 002. Undefined
 * when the invoice cannot be paid that way.
 */
export function transferCode(invoice: IssuedInvoice): string | undefined {
  const { seller, currency, dueMinor } = invoice;
  const reference = transferReference(invoice);
  const iban = seller.banking?.iban;
  if (reference === undefined || iban === undefined) return undefined;
  if (dueMinor < 1 || dueMinor > maxMinor) return undefined;
  const { bic = '', accountHolder } = seller.banking ?? { accountHolder: '' };
  const decimals = decimalsOf(currency);
  const codeFor = (name: readonly string[]) =>
    [
      'BCD',
      '002',
      // UTF-8.
      '1',
      'SCT',
      bic.replaceAll(/\s/g, '').toUpperCase(),
      name.join(''),
      iban.replaceAll(/\s/g, '').toUpperCase(),
      `${currency}${(dueMinor / 10 ** decimals).toFixed(decimals)}`,
      // The purpose.
      '',
      reference,
    ].join('\n');
  const name = [...accountHolder].slice(0, maxName);
  while (Buffer.byteLength(codeFor(name)) > maxBytes) name.pop();
  return codeFor(name);
}
