import type { Application } from '../shared/applications.ts';
import type { Subscription } from './subscription.ts';

/** An application as its invoices and mails name it. */
export function sellerOf({ name, settings: { banking } }: Application): Subscription['seller'] {
  return { name, ...(banking && { banking }) };
}
