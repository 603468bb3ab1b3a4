import { escaped, html } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { quotedText } from './blocks.ts';
import type { BillingPageSettings } from './permissions.ts';
import type { BillingAccount } from './store.ts';

export function notOffered(token: string, { subscription }: Pick<BillingAccount, 'subscription'>): Page {
  const seller = quotedText(subscription.seller.name) || 'The seller';
  return refusalPage(token, {
    heading: 'Not available here',
    text: `${seller} does not offer this on this page. Ask the seller how to do it.`,
  });
}

export function cannotCancel(token: string, account: BillingAccount, { cancel }: BillingPageSettings): Page {
  if (!cancel) return notOffered(token, account);
  return refusalPage(token, {
    heading: 'The subscription cannot be cancelled now',
    text: 'It has ended, is already set to end, or cannot be cancelled here in its current state.',
  });
}

export function cannotUndo(token: string): Page {
  return refusalPage(token, {
    heading: 'The cancellation can no longer be undone',
    text: 'The subscription has ended, or it changed after you opened the page.',
  });
}

/** The end of the period is another one than the page showed. */
export function periodChanged(token: string): Page {
  return refusalPage(token, {
    heading: 'The end of the period has changed',
    text: 'It changed after you opened the page. Check the new date first.',
  });
}

/** An action that is not possible, or not any more. Nothing was changed. */
function refusalPage(token: string, { heading, text }: { heading: string; text: string }): Page {
  return {
    title: heading,
    content: html`<h1>${heading}</h1>
<p role="alert">${text} Nothing was changed.</p>
<p><a href="${escaped(token)}">Back to your subscription</a></p>`,
  };
}
