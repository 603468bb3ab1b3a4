import { changesSinceDecision } from '../../links/reviews/changes.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { shownAddresses } from '../../shared/html/text.ts';
import {
  actionForm,
  badge,
  facts,
  hiddenField,
  idText,
  lines,
  moment,
  reasonField,
  section,
  textField,
  time,
} from '../pages/blocks.ts';
import { column, pager, table } from '../pages/table.ts';
import { type Answer, type ConsolePath, show, type Visit } from '../pages/visit.ts';
import { choices } from './reasons.ts';
import { mostCounted, type ReviewView } from './review-view.ts';

/**
 * The forms of a link that waits: to decide for the person who has it, to take it over for others. The form of a decided link
 * withdraws its decision.
 */
function decisionForms(visit: Visit, view: ReviewView, reasonError: string | undefined): Markup {
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

/** Why nothing was decided, and what is wrong with the reason of a rejection. */
export interface Problem {
  alert?: string;
  reason?: string;
}

/** A link for its reviewer. */
function reviewPage(visit: Visit, view: ReviewView, { alert, reason }: Problem = {}): Markup {
  const { trustLink } = view.review;
  return html`<h1 dir="auto">${trustLink?.title ?? 'A removed link'}</h1>
${alert === undefined ? '' : html`<p class="alert" role="alert">${alert}</p>`}
${section('submitted', 'Link', linkFacts(view))}
${changes(view, visit)}
${section('user', 'User', userFacts(view))}
${section('accounts', 'Social accounts', accountTable(view))}
${decisionForms(visit, view, reason)}
${section('history', 'History', historyTable(visit, view))}
${neighbours(visit, view)}`;
}

/** The page of a link. @param status other than 200 when nothing was decided. */
export function showReview(
  visit: Visit,
  view: ReviewView,
  { status = 200, ...problem }: Problem & { status?: 200 | 409 | 422 } = {},
): Answer {
  const title = view.review.trustLink?.title ?? 'A removed link';
  return show(title, reviewPage(visit, view, problem), { status });
}

/** Says what the keys of a page do. They need JavaScript, and the page does not. */
export const keysNote = (text: string): Markup =>
  html`<div class="more" data-keys>With JavaScript: ${text} Keys do nothing while a field has the focus.</div>`;

const yesNo = (is: boolean | undefined) => (is === true ? 'Yes' : 'No');

function linkFacts({ review: { trustLink }, link, linkId, submission, applicationName }: ReviewView): Markup {
  const { queueEntry } = link ?? {};
  return facts([
    ['Status', badge(trustLink === null ? 'Removed' : trustLink.verificationStatus)],
    ...(trustLink === null ? [] : submitted(trustLink)),
    ['Waiting since', queueEntry && moment(queueEntry.sinceMs)],
    [
      'Priority',
      queueEntry?.priority === true
        ? 'The link was verified before it was changed, or its decision was withdrawn.'
        : undefined,
    ],
    ['Application', html`${applicationName ?? ''} ${idText(submission.applicationId)}`],
    ['Link', idText(linkId)],
  ]);
}

function submitted({
  url,
  platform,
  description,
  createdAt,
}: NonNullable<ReviewView['review']['trustLink']>) {
  const site = URL.parse(url);
  const isWeb = site?.protocol === 'https:' || site?.protocol === 'http:';
  return [
    [
      'Address',
      isWeb
        ? html`<a href="${escaped(url)}" rel="noreferrer" target="_blank">${shownAddresses(url)}</a>`
        : url,
    ],
    ['Site', site?.host],
    ['Platform', platform],
    ['Description', description && lines(description)],
    ['Submitted', moment(Date.parse(createdAt))],
  ] as const;
}

function userFacts({ review: { user }, submission: { userId }, decided }: ReviewView): Markup {
  const counted = (count: number) => (count > mostCounted ? `more than ${mostCounted}` : String(count));
  return facts([
    ['User', idText(userId)],
    ['Name', user?.name],
    ['E-mail address', user?.email],
    ['Identity', user === null ? 'There is no record of the user.' : `Verified: ${yesNo(user.verified)}`],
    ['Status', user?.status],
    [
      'Links in this application',
      `${counted(decided.verified)} verified, ${counted(decided.rejected)} rejected`,
    ],
  ]);
}

/** Accounts that a page shows. No user has nearly that many. */
const mostAccounts = 20;

function accountTable({ review: { socialAccounts } }: ReviewView): Markup {
  const more = socialAccounts.length - mostAccounts;
  const shown = table(
    'Accounts of the user',
    socialAccounts.slice(0, mostAccounts),
    [
      column.text('Name', ({ username }) => username),
      column.text('Platform', ({ platform }) => platform),
      column.text('Address', ({ url }) => cut(url)),
      column.status('Status', ({ verificationStatus }) => verificationStatus),
      column.text('Primary', ({ isPrimary }) => yesNo(isPrimary)),
    ],
    'No social accounts.',
  );
  return html`${shown}${more > 0 ? html`<p class="hint">And ${String(more)} more.</p>` : ''}`;
}

/** The fields that have changed since the last decision, while the link waits for the next one. */
function changes({ review: { trustLink, history, nextCursor } }: ReviewView, { query }: Visit): Markup {
  if (trustLink?.verificationStatus !== 'pending' || query.cursor !== undefined) return raw('');
  const found = changesSinceDecision(trustLink, history);
  const none =
    nextCursor === undefined
      ? 'There is no earlier decision.'
      : 'The last decision is on a later page of the history.';
  const content =
    found === undefined
      ? html`<p>${none}</p>`
      : table(
          'Changed fields',
          found,
          [
            column.text('Field', ({ field }) => fieldNames[field]),
            column.block('Before', ({ before }) => html`<del>${lines(before ?? '–')}</del>`),
            column.block(
              'Now',
              ({ before, now }) => html`<ins>${lines(now ?? '–')}</ins>${unseen(before, now)}`,
            ),
          ],
          'No changes since the last decision.',
        );
  return section('changes', 'Changed since the last decision', content);
}

const fieldNames = {
  title: 'Title',
  url: 'Address',
  platform: 'Platform',
  description: 'Description',
} as const;

/** Two texts can differ in line ends and characters that nobody sees. */
const unseen = (before: string | null, now: string | null): string =>
  lines(before ?? '').markup === lines(now ?? '').markup
    ? ' (differs in characters that are not visible)'
    : '';

type Event = ReviewView['review']['history'][number];

function historyTable(
  visit: Visit,
  { review: { history, nextCursor }, applicationName }: ReviewView,
): Markup {
  const by = ({ by: { kind, id, name } }: Event) => {
    if (kind === 'operator') return html`${name ?? ''} ${idText(id)}`;
    return kind === 'user' ? html`The user ${idText(id)}` : html`${applicationName ?? 'The application'}`;
  };
  const shown = table(
    'Newest first',
    history.toReversed(),
    [
      column.text('Event', ({ event }) => event),
      column.time('Time', ({ at }) => Date.parse(at)),
      column.block('By', by),
      column.block('Reason', ({ reason }) => lines(reason ?? '–')),
      column.block('Former values', formerValues),
    ],
    'No events.',
  );
  return html`${shown}${pager(visit, nextCursor)}`;
}

/** The beginning of a text that is too long for a table. */
const cut = (text: string, length = 200): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

function formerValues({ before = {} }: Event): Markup | string {
  const values = Object.entries(fieldNames).flatMap(([field, name]) => {
    const value = before[field];
    return value === undefined ? [] : [html`<div>${name}: ${lines(cut(value ?? '–'))}</div>`];
  });
  return values.length === 0 ? '–' : html`${values}`;
}

function neighbours({ href }: Visit, { previous, next }: ReviewView): Markup {
  const link = (path: ConsolePath, text: string, key: string) =>
    html`<a href="${href(path)}" data-key="${key}">${text}</a>`;
  const links = [
    ...(previous === undefined ? [] : [link(`/console/reviews/${previous}`, 'Previous link', 'k')]),
    ...(next === undefined ? [] : [link(`/console/reviews/${next}`, 'Next link', 'j')]),
  ];
  return html`<nav class="more" aria-label="Queue">${links}</nav>
${keysNote('j opens the next link, k the one before. v verifies, r goes to the reasons, u undoes the last decision. Enter sends the reason, Escape leaves it.')}`;
}
