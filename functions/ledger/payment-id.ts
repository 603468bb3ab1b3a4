import { createHash } from 'node:crypto';
import type { PaymentSource } from './payment.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const idLength = 26;

const bitsPerCharacter = 5n;

/**
 * The id of a payment: 128 bits of a hash over the application, the source and the id there, written like the other
 * ids. The same payment, reported twice, is the same record, without a second item that maps one id to the other.
 */
export function paymentIdOf(applicationId: string, source: PaymentSource, sourceId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([applicationId, source, sourceId]))
    .digest();
  let bits = BigInt(`0x${hash.subarray(0, 16).toString('hex')}`);
  let text = '';
  while (text.length < idLength) {
    text = alphabet.charAt(Number(bits & 31n)) + text;
    bits >>= bitsPerCharacter;
  }
  return `pay_${text}`;
}

/** The source of a payment at a gateway, by its id there. */
export function gatewayOf(sourceId: string): Extract<PaymentSource, 'stripe' | 'sandbox'> {
  return sourceId.startsWith('sandbox-') ? 'sandbox' : 'stripe';
}
