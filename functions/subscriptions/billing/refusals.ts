/** The pages of actions that are not possible, or that the application does not offer. */
import type { Page } from '../../shared/html/page.ts';
import { quoted } from '../../shared/html/text.ts';
import { refusalPage } from './pages.ts';
import type { BillingPageSettings } from './permissions.ts';
import type { BillingAccount } from './store.ts';

/** The application does not offer an action. */
export function notOffered(token: string, { subscription }: Pick<BillingAccount, 'subscription'>): Page {
  const seller = quoted(subscription.seller.name, 200) || 'The seller';
  return refusalPage(token, {
    heading: 'This is not offered here',
    text: `${seller} does not offer this on this page. Ask there how it is done.`,
  });
}

/** The subscription cannot be cancelled at the end of its period. */
export function cannotCancel(token: string, account: BillingAccount, { cancel }: BillingPageSettings): Page {
  if (!cancel) return notOffered(token, account);
  return refusalPage(token, {
    heading: 'It cannot be cancelled now',
    text: 'The subscription has ended, ends already, or is not in a state in which it can be cancelled here.',
  });
}

/** The cancellation cannot be undone any more. */
export function cannotUndo(token: string): Page {
  return refusalPage(token, {
    heading: 'It cannot be undone any more',
    text: 'The subscription has ended, or was changed since the page was shown.',
  });
}

/** The end of the period is another one than the page showed. */
export function periodChanged(token: string): Page {
  return refusalPage(token, {
    heading: 'The period has changed',
    text: 'Since the page was shown, the end of the period has changed. Look at the new date first.',
  });
}
