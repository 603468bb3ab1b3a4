import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { quoted } from '../../shared/html/text.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';

export const none = raw('');

export const longestName = 200;

/** A text of the application or the subscriber, in quotation marks, of which 200 characters are shown. */
export const quotedText = (text: string): string => quoted(text, 200);

/** The name of the application, in quotation marks. */
export const sellerOf = ({ seller }: Pick<Subscription, 'seller'>) => quotedText(seller.name) || 'the seller';

export function facts(rows: readonly (readonly [string, string])[]): Markup {
  return html`<table class="facts">${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td dir="auto">${value}</td></tr>`,
  )}</table>`;
}
