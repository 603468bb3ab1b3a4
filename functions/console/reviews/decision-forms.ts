import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { actionForm, hiddenField, reasonField, section, textField, time } from '../pages/blocks.ts';
import type { Visit } from '../pages/visit.ts';
import { choices } from './reasons.ts';
import type { ReviewView } from './review-view.ts';

/**
 * The forms of a link that waits: to decide for the person who has it, to take it over for others. The form of a decided link
 * withdraws its decision.
 */
export function decisionForms(visit: Visit, view: ReviewView, reasonError: string | undefined): Markup {
  const { claim, review } = view;
  const { verificationStatus = 'pending' } = review.trustLink ?? {};
  const revision = hiddenField('revision', review.revision);
  if (verificationStatus !== 'pending')
    return section(
      'decision',
      'Decision',
      html`<p>The link is ${verificationStatus}. The history says by whom and why. A decision that is withdrawn makes the link pending again, first in the queue, and tells the application.</p>
${form(visit, 'withdraw', html`${revision}${reasonField('withdraw-reason')}<button type="submit" class="second">Withdraw the decision</button>`)}`,
    );
  if (claim === undefined) return raw('');
  const until = time(claim.untilMs);
  if (view.isOthers)
    return section(
      'claim',
      `Claimed by ${claim.name}`,
      html`<p>They have it until ${until}, or until they decide.</p>
${form(visit, 'take-over', html`${hiddenField('holder', claim.keyId)}<button type="submit" class="second">Take over claim</button>`)}`,
    );
  return section(
    'decision',
    'Decision',
    html`<p class="hint">Your claim ends at ${until}.</p>
${form(visit, 'verify', html`${revision}<button type="submit" data-key="v">Verify</button>`)}
${form(visit, 'reject', html`${revision}${reasonFields(reasonError)}<button type="submit" class="second">Reject</button>`)}`,
  );
}

const form = (visit: Visit, action: string, content: Markup): Markup =>
  actionForm(visit, visit.path, html`${hiddenField('action', action)}${content}`);

/** The key r leads to the first reason. Enter sends the form from each of them. */
function reasonFields(error: string | undefined): Markup {
  const buttons = choices.map(
    ([name, text], n) =>
      html`<label><input type="radio" name="reason" value="${name}" required${n === 0 ? raw(' data-key="r"') : ''}> ${text}</label>`,
  );
  return html`<fieldset><legend>Reason for rejection</legend>${buttons}
${textField('words', 'In your own words', { maxLength: 500, error })}</fieldset>`;
}
