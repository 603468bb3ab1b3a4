import { operatorScopes } from '../../../functions/shared/contract/operator-scopes.ts';
import { isoTime } from '../../../functions/shared/runtime/clock.ts';
import type { Person } from '../demo/people.ts';
import { exampleTypes } from '../demo/webhooks.ts';
import type { DueStep } from '../due-steps.ts';
import { e, localPage, localTime } from '../http/local-page.ts';
import type { Outcome } from './actions.ts';

const links = [
  ['/s', 'Share page', 'Where people create and open shares.'],
  ['/account', 'Account page', 'Devices and applications of a user. The sign-in code is in the mailbox.'],
  ['/_local/console', 'Console', 'Where operators find, decide and see what waits. One click signs in.'],
  ['/_local/billing', 'Billing page', 'Of the subscription in the demo data.'],
  ['/docs', 'API reference', 'Every operation, with examples that run here.'],
  ['/_local/mailbox', 'Mailbox', 'The mail that the API sent. Nothing leaves this machine.'],
  ['/_local/webhooks', 'Webhooks', 'The events that the API delivered to the demo applications.'],
  ['/_local/demo', 'Demo data', 'Ids, keys and accounts to try the API with, as JSON.'],
  [
    '/_local/clock',
    'Clock',
    'The time here, as JSON. POST { "advanceSeconds": 3600 } moves it forward, timers included.',
  ],
  ['/_local/health', 'Health', 'Whether the stack can write and read its data, for scripts.'],
  ['/openapi.json', 'OpenAPI document', 'The API for client generators and other tools.'],
] as const;

export interface HomeView {
  nowMs: number;
  next: DueStep | undefined;
  /** Undefined while the demo data cannot be written or read. */
  cast: readonly Person[] | undefined;
  outcome: Outcome | undefined;
}

/** The page of the stack: the clock, the demo people, the events, and links to everything else. */
export function homePage({ nowMs, next, cast, outcome }: HomeView): string {
  return localPage(
    'Local stack',
    '<h1>Vouchsafe</h1><p>The whole API on this machine: real handlers, a table, a mailbox and timers.</p>',
    `${outcome === undefined ? '' : outcomeSection(outcome)}
<section><h2>Clock</h2><div class="card"><p>It is ${localTime(isoTime(nowMs))}. ${next === undefined ? 'No subscription has a scheduled step.' : `The next step of a subscription: ${stepText(next)}.`}</p>
<form method="post" action="/_local" class="actions">${actionButton('day', 'Advance one day')}${actionButton('week', 'Advance one week')}${actionButton('next', 'Advance to the next step')}</form></div></section>
<section><h2>People</h2>${cast === undefined ? '<p class="card">The demo data cannot be shown now. <a href="/_local/health">Health</a> says why.</p>' : castList(cast)}</section>
<section><h2>Events</h2><div class="card"><p>Sends the example of the reference to the webhooks of a demo application. <a href="/_local/webhooks">Received events</a></p>
<form method="post" action="/_local" class="actions"><label for="type">Type</label><select id="type" name="type">${exampleTypes.map((type) => `<option>${type}</option>`).join('')}</select>${actionButton('event', 'Send the event')}</form></div></section>
<section><h2>Pages</h2><ul class="mails">
${links
  .map(
    ([href, title, text]) =>
      `<li><a href="${href}"><span class="subject">${title}</span><code class="label">${href}</code><span class="label">${text}</span></a></li>`,
  )
  .join('\n')}
</ul></section>`,
  );
}

/** A button that signs in to the console with the operator key of the demo data. */
export const consolePage = localPage(
  'Console',
  '<h1>Console</h1><p>The demo data has an operator key with every scope.</p>',
  '<form method="post" action="/_local"><button name="action" value="console" autofocus>Sign in as the demo operator</button></form>',
);

const stepText = ({ step, dueMs }: DueStep) => `${e(step)}, ${localTime(isoTime(dueMs))}`;

/** A button of a form. @param whom the name of a person, in the accessible name alone. */
function actionButton(name: string, label: string, whom = ''): string {
  return `<button name="action" value="${name}"${whom === '' ? '' : ` aria-label="${label}: ${e(whom)}"`}>${label}</button>`;
}

const castList = (people: readonly Person[]) => `<ul class="people">
${people.map(personItem).join('\n')}
${operatorItem('Local Operator', operatorScopes.admin, 'admin')}
${operatorItem('Rita Reviewer', operatorScopes.review, 'reviewer')}
</ul>`;

function personItem({ name, fullName, email, about, status, access, owes, next }: Person): string {
  const link = (href: string, label: string) =>
    `<a href="${e(href)}" aria-label="${label}: ${e(fullName)}">${label}</a>`;
  const hasEnded = status === 'expired' || status === 'cancelled';
  return `<li><div><strong>${e(fullName)}</strong> <span class="label">${e(email)}</span><p>${e(about)}</p></div>
<div><span class="badge">${e(status)}</span> <span class="label">access: ${e(access)}</span><p>${next === undefined ? 'No scheduled step.' : `Next: ${stepText(next)}.`}</p></div>
<form method="post" action="/_local" class="actions"><input type="hidden" name="person" value="${name}">${actionButton('sign-in', 'Sign in', fullName)}${next === undefined ? '' : actionButton('step', 'Advance to the next step', fullName)}${owes ? actionButton('decline', 'Decline a payment', fullName) : ''}${hasEnded ? actionButton('restart', 'Create a new subscription', fullName) : ''}
${link(`/_local/people/${name}/billing`, 'Billing page')}${owes ? link(`/_local/people/${name}/checkout`, 'Checkout') : ''}${link(`/_local/mailbox?to=${encodeURIComponent(email)}`, 'Mail')}</form></li>`;
}

const operatorItem = (
  name: string,
  about: string,
  as: 'admin' | 'reviewer',
) => `<li><div><strong>${e(name)}</strong></div>
<div><p>Can ${e(about)}.</p></div>
<form method="post" action="/_local" class="actions"><input type="hidden" name="as" value="${as}">${actionButton('console', 'Open the console', name)}</form></li>`;

const shownLines = 10;

function outcomeSection({ text, steps, mails, events }: Outcome): string {
  return `<section class="card" role="status"><h2>Result</h2><p>${e(text)}</p>
${lines(
  'Steps',
  steps.map(
    ({ record: { externalId, taken, status } }) =>
      `${e(externalId)}: ${e(taken.join(', '))}; now ${e(status)}`,
  ),
)}${lines(
  'Mails',
  mails.map(
    ({ record: { id, subject, to } }) =>
      `<a href="/_local/mailbox/${e(id)}">${e(subject)}</a> to ${e(to.join(', '))}`,
  ),
)}${lines(
  'Events',
  events.map(
    ({ n, record: { name, type } }) =>
      `<a href="/_local/webhooks/${e(name)}/${n}">${e(type)}</a> to ${e(name)}`,
  ),
)}</section>`;
}

/** @param all markup. */
function lines(heading: string, all: readonly string[]): string {
  const more = all.length - shownLines;
  const shown = all.slice(0, shownLines).concat(more > 0 ? [`and ${more} more`] : []);
  return `<h3>${heading}: ${all.length}</h3>${all.length === 0 ? '' : `<ul>${shown.map((one) => `<li>${one}</li>`).join('')}</ul>`}`;
}
