import { ApiError } from '../shared/contract/errors.ts';
import type { Plan } from './plan.ts';

/**
 * The quantity that a subscription to a plan has: as requested, or the least that the plan allows. Undefined for a plan
 * without quantities, which sells one.
 *
 * @throws ApiError `invalid_request` when the plan does not sell this quantity.
 */
export function soldQuantity(
  { quantity: range }: Pick<Plan, 'quantity'>,
  requested: number | undefined,
): number | undefined {
  if (range === undefined) {
    if (requested === undefined || requested === 1) return undefined;
    throw refused('must be 1: the plan sells no other quantity');
  }
  const quantity = requested ?? range.min;
  if (quantity >= range.min && quantity <= range.max) return quantity;
  throw refused(`must be from ${range.min} to ${range.max}`);
}

const refused = (problem: string) => new ApiError('invalid_request', { details: { quantity: problem } });
