import type { Invoice } from '../invoice.ts';

/**
 * The creditor reference of an invoice that can be paid by SEPA credit transfer: in EUR, with an IBAN and no gateway.
 * Otherwise undefined.
 */
export function transferReference({
  currency,
  gateway,
  seller,
  paymentReference,
}: Pick<Invoice, 'currency' | 'gateway' | 'seller' | 'paymentReference'>): string | undefined {
  if (currency !== 'EUR' || gateway !== 'none' || !seller.banking?.iban) return undefined;
  return creditorReference(paymentReference);
}

/**
 * The creditor reference (ISO 11649) of a reference number: `RF`, two check digits by ISO/IEC 7064 MOD 97-10, and up to 21
 * letters and digits. They are the code of the reference number, without `SUB-`.
 */
export function creditorReference(referenceNumber: string): string {
  const body = referenceNumber.replace(/^SUB-/, '');
  const check = 98 - remainderBy97(`${body}RF00`);
  return `RF${String(check).padStart(2, '0')}${body}`;
}

export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && remainderBy97(text.slice(4) + text.slice(0, 4)) === 1;
}

/** Letters count as 10 (A) to 35 (Z). */
function remainderBy97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
