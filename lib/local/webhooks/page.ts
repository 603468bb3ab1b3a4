import { parseJson } from '../http/body.ts';
import { e, localPage, localTime, refreshScript } from '../http/local-page.ts';
import type { CaughtDelivery } from './catcher.ts';
import type { StillRunning } from './still-running.ts';

const path = '/_local/webhooks';

/**
 * The caught deliveries as a page.
 *
 * @param view.name of the receiver; empty for all.
 * @param view.more whether older deliveries are left out.
 * @param view.stillRunning deliveries to webhooks that do not answer.
 */
export function listPage(
  caught: CaughtDelivery[],
  view: { name: string; more: boolean; stillRunning: readonly StillRunning[] },
): string {
  const isAll = view.name === '';
  const heading = isAll ? 'Webhooks' : `Webhooks to ${view.name}`;
  const more = view.more
    ? `<p class="note">These are the newest ${caught.length}. The JSON of this address has all that are kept.</p>`
    : '';
  const running = view.stillRunning
    .map(
      ({ webhookId, deliveries }) =>
        `<p class="note">Still running: ${deliveries} deliveries to <code>${e(webhookId)}</code>, which does not answer. The clock does not wait for them.</p>`,
    )
    .join('\n');
  const list =
    caught.length === 0
      ? emptyState(view.name)
      : `<ol class="mails">${caught.map((one) => row(one, isAll)).join('\n')}</ol>\n${more}`;
  return localPage(
    caught.length === 0 ? heading : `${heading} (${caught.length}${view.more ? '+' : ''})`,
    `<header class="top"><div>${isAll ? '' : `<p><a href="${path}">&larr; All webhooks</a></p>`}<h1>${e(heading)}</h1><p>Events that this local stack delivered to itself. Nothing leaves the machine.</p></div></header>
<main>${running}${list}</main>`,
    refreshScript,
  );
}

function emptyState(name: string): string {
  const where = name === '' ? `${path}/&lt;name&gt;` : `${path}/${e(name)}`;
  return `<section class="empty"><svg viewBox="0 0 48 36" width="72" height="54" aria-hidden="true"><circle cx="24" cy="8" r="6"/><circle cx="9" cy="28" r="6"/><circle cx="39" cy="28" r="6"/><path d="m21 13-9 10m15-10 9 10m-21 5h18"/></svg><h2>No events yet</h2><p>What is delivered to <code>${where}</code> shows up here by itself.</p></section>`;
}

function row(caught: CaughtDelivery, withName: boolean): string {
  return `<li><a href="${path}/${e(caught.name)}/${caught.n}">
<span class="subject">${e(caught.type) || '(no event)'}</span>${localTime(caught.receivedAt)}
<span class="facts">${signature(caught)}${answer(caught)}${caught.sequence > 0 ? `<span class="label">sequence ${caught.sequence}</span>` : ''}${withName ? `<span class="label">to ${e(caught.name)}</span>` : ''}<span class="label">${e(caught.eventId)}</span></span>
</a></li>`;
}

const signatures = {
  verified: '<span class="badge good">verified</span>',
  wrong: '<span class="badge bad">signature wrong</span>',
  unknown: '<span class="badge label">secret not known</span>',
};

function signature({ signature }: CaughtDelivery): string {
  return signatures[signature];
}

function answer({ status }: CaughtDelivery): string {
  return status < 300 ? '' : `<span class="badge bad">answered ${status}</span>`;
}

/** One delivery as a page. */
export function deliveryPage(caught: CaughtDelivery): string {
  const { name, n, eventId, sequence, receivedAt, status, problem, body, headers, type } = caught;
  const title = type || '(no event)';
  const parsed = parseJson(Buffer.from(body));
  const readable = parsed === undefined ? body : JSON.stringify(parsed, null, 2);
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return localPage(
    title,
    `<header class="top"><div><p><a href="${path}">&larr; All webhooks</a> &middot; <a href="${path}/${e(name)}">to ${e(name)}</a></p><h1>${e(title)}</h1></div></header>
<main><dl><dt>Delivery</dt><dd>${n}</dd><dt>Event</dt><dd>${e(eventId) || 'none'}</dd><dt>Sequence</dt><dd>${sequence}</dd>
<dt>Received</dt><dd>${localTime(receivedAt)}</dd><dt>Signature</dt><dd>${signature(caught)}${problem === undefined ? '' : ` ${e(problem)}`}</dd><dt>Answered</dt><dd>${status}</dd></dl>
<section><h2>Body</h2><pre>${e(readable)}</pre></section>
<section><h2>Headers</h2><pre>${e(lines.join('\n'))}</pre></section></main>`,
  );
}
