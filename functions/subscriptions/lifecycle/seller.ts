import type { Application } from '../../shared/accounts/applications.ts';
import type { Subscription } from './subscription.ts';

/** An application as its invoices and mails name it. */
export function sellerDetails({ name, settings: { banking } }: Application): Subscription['seller'] {
  return { name, ...(banking && { banking }) };
}
