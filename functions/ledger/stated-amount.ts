import { ApiError } from '../shared/contract/errors.ts';
import { toMinor } from '../shared/money/money.ts';

/**
 * A decimal amount of a request in minor units.
 *
 * @throws ApiError `invalid_request` when it has more decimals than the currency.
 */
export function statedMinor(amount: number, currency: string, field = 'amount'): number {
  const amountMinor = toMinor(amount, currency);
  if (amountMinor !== undefined) return amountMinor;
  throw new ApiError('invalid_request', { details: { [field]: `has more decimals than ${currency}` } });
}
