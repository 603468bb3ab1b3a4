import type { Application } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Subscription } from './subscription.ts';

/** An application as named on invoices and in mails. */
export function sellerDetails({ name, settings: { banking } }: Application): Subscription['seller'] {
  return { name, ...defined({ banking }) };
}
