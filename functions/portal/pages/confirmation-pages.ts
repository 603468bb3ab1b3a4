import { escaped, html } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { formatTime } from '../../shared/html/text.ts';
import type { BillingView } from './billing-view.ts';
import { none } from './blocks.ts';
import { maskedAddress } from './old-link-pages.ts';

/** The question before a cancellation. @param endMs when it would end the subscription. */
export function cancellationPage({
  token,
  subscription,
  settings,
  endMs,
}: Pick<BillingView, 'token' | 'subscription' | 'settings'> & { endMs: number }): Page {
  const isTrial = subscription.status === 'trialing';
  return {
    title: 'Cancel your subscription',
    content: html`<h1>Cancel your subscription?</h1>
<p>You keep your access until <strong>${formatTime(endMs, subscription.seller)}</strong>, when ${isTrial ? 'the trial' : 'the paid term'} ends. After that you have no access, and nothing more is charged.</p>
<p>You do not have to pay an open invoice for the time after that. It becomes void.${settings.undoCancel ? ' You can undo the cancellation until then.' : none}</p>
<form method="post" action="${escaped(token)}"><input type="hidden" name="periodEnd" value="${String(endMs)}"><div class="actions"><button type="submit" name="action" value="cancel">Cancel the subscription</button><a class="button second" href="${escaped(token)}">Keep the subscription</a></div></form>`,
  };
}

/** The question before the link is replaced. @param address of the client, to which the new one is mailed. */
export function replacementPage({ token, address }: { token: string; address: string }): Page {
  return {
    title: 'Replace this link',
    content: html`<h1>Replace this link?</h1>
<p>This link stops working at once, for you and for everybody who has it. The new one is mailed to <strong dir="ltr">${maskedAddress(address)}</strong>. If you cannot read the mail of this address, keep the link.</p>
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="replace-link">Replace the link</button><a class="button second" href="${escaped(token)}">Keep the link</a></div></form>`,
  };
}
