/** The page of a signed-in user: a plain page without scripts. A form that ends access asks again, in place. */
import type { User } from '../shared/accounts/users.ts';
import { scopeDescriptions } from '../shared/auth/grants/scopes.ts';
import { defined } from '../shared/contract/defined.ts';
import { revocationSeconds } from '../shared/contract/secret.ts';
import { escaped, html, type Markup } from '../shared/html/markup.ts';
import type { Page } from '../shared/html/page.ts';
import { formatDate, formatTime, plainText, quoted, unlinkedName } from '../shared/html/text.ts';
import { addressBlock, unknownBlock } from '../shared/lambda/client-key.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { utc } from '../shared/runtime/time-zone.ts';
import { button, type Form, hidden, none } from '../shared/sign-in/forms.ts';
import { enrolmentCookies } from '../shared/sign-in/mailbox-cookies.ts';
import { formTokenOf } from '../shared/sign-in/session.ts';
import { accountSessions } from '../shared/sign-in/session-store.ts';
import type { AllowedApplication } from './access/allowed-applications.ts';
import type { AccountDevice } from './access/devices-store.ts';
import { type Overview, readOverview } from './access/overview.ts';
import { accountCookie, type Done, readDone } from './access/session.ts';
import { sessionEndedNotice, withAccountErrorPages } from './pages/error-pages.ts';
import { accountFrame, overviewFooter } from './pages/frame.ts';
import { accountForm, accountUri, emailPage } from './pages/sign-in-pages.ts';
import { showRoute } from './routes.ts';

export const doneTexts: Readonly<Record<Done, string>> = {
  device: 'The device was removed. Its next call is refused. To use it again, verify it with a new code.',
  others: 'All other devices were removed. To use one of them again, verify it with a new code.',
  devices: 'All devices were removed. To use one of them again, verify it with a new code.',
  gone: 'That device is no longer trusted. Nothing was removed.',
  application: `The access was withdrawn. It ends everywhere within ${revocationSeconds} seconds.`,
  part: 'Part of the access was withdrawn, because you allowed this application very often. Withdraw it once more for the rest.',
  'signed-out': 'You are signed out.',
  everywhere:
    'You are signed out everywhere. All devices and applications have lost their access. Your vault and your master password have not changed.',
};

export const cursorScope = (userId: string): string[] => ['account', userId];

/** The overview of a user. @param block the address block from which the person looks. */
export function overviewPage(
  overview: Overview,
  context: { formToken: string; done: Done | undefined; isFirstPage: boolean; address: string },
): Page {
  const { user, users } = overview;
  const form = accountForm(context.formToken);
  const done = context.done && html`<p class="done" role="status">${doneTexts[context.done]}</p>`;
  return {
    title: 'Your account',
    content: html`<h1>Your account</h1>
${done ?? none}<div class="who"><span>Signed in as <strong dir="auto">${user.email}</strong></span>
${form(button('sign-out', 'Sign out', 'plain'))}</div>
${users.length > 1 ? userSection(form, user, users) : none}
${deviceSection(form, overview.devices, addressBlock(context.address))}
${applicationSection(form, overview, context.isFirstPage)}
<section aria-labelledby="everywhere"><h2 id="everywhere">Security</h2>
<p class="note">If you lost a device, or somebody else may have used your account, sign out everywhere.</p>
<details><summary>Sign out everywhere…</summary>
<p>This removes all devices, withdraws the access of all applications, and ends all sign-ins, including this one. To use a device again, verify it with a new code from this mailbox. Your vault and your master password do not change.</p>
${form(html`<div class="actions">${button('sign-out-everywhere', 'Sign out everywhere')}</div>`)}</details></section>`,
    footer: overviewFooter,
  };
}

/** Users who share the address. Whoever reads the mailbox verified each of them with a code. */
function userSection(form: Form, current: User, users: readonly User[]): Markup {
  const entries = users.map(({ userId }) =>
    userId === current.userId
      ? html`<li><h3 dir="auto">${userId}</h3><p class="here">Shown below</p></li>`
      : html`<li><h3 dir="auto">${userId}</h3>${form(html`${hidden('user', userId)}${button('switch', 'Show this one', 'plain')}`)}</li>`,
  );
  return html`<section aria-labelledby="users"><h2 id="users">User IDs with this address</h2>
<p class="note">Codes from this mailbox verified devices for more than one user ID.</p>
<ul class="entries">${entries}</ul></section>`;
}

function deviceSection(form: Form, devices: readonly AccountDevice[], block: string): Markup {
  const entries = devices.map((device) => {
    const name = unlinkedName(device.deviceName) || 'Unknown device';
    const isHere = block !== unknownBlock && addressBlock(device.ipAddress) === block;
    const keep = devices.length > 1 ? button('keep', 'Remove all other devices', 'second') : none;
    return html`<li><h3 dir="auto">${name}</h3>
${isHere ? html`<p class="here">Last used from your current network</p>` : none}<p>${placeOf(device)}</p>
<p>Last used ${formatTime(device.lastUsedAtMs, utc)}. First seen ${formatDate(device.createdAtMs, utc)}.</p>
<details><summary>Remove<span class="unseen"> ${name}</span>…</summary>
<p>The next call of a removed device is refused. To use the device again, verify it with a new code from your mailbox.</p>
${form(html`${hidden('device', device.deviceId)}<div class="actions">${button('remove', 'Remove this device')}${keep}</div>`)}</details></li>`;
  });
  const removeAll = html`<details><summary>Remove all devices…</summary>
<p>Every device then needs a new code from your mailbox, including the one you are using now.</p>
${form(html`<div class="actions">${button('remove-all', 'Remove all devices')}</div>`)}</details>`;
  return html`<section aria-labelledby="devices"><h2 id="devices">Devices</h2>
<p class="note">${devices.length === 0 ? 'You have no trusted devices.' : 'These devices can open your vault with your master password.'}</p>
${devices.length === 0 ? none : html`<ul class="entries">${entries}</ul>`}${devices.length > 1 ? removeAll : none}</section>`;
}

/** Where a device was last used, as far as it is known. */
function placeOf({ location, isp, ipAddress }: AccountDevice): string {
  const known = [location, isp, ipAddress]
    .map((text) => plainText(text ?? '', 100))
    .filter((text) => text !== '' && text !== 'Unknown');
  return known.length === 0 ? 'Location unknown' : known.join(' · ');
}

function applicationSection(
  form: Form,
  { applications, lastGrantId, user }: Overview,
  isFirstPage: boolean,
): Markup {
  const entries = applications.map((application) => applicationEntry(form, application));
  const cursor = lastGrantId && encodeCursor(cursorScope(user.userId), { grantId: lastGrantId });
  const next =
    cursor &&
    html`<a href="${escaped(`${accountUri}?cursor=${cursor}#applications`)}">Older applications</a>`;
  const first = isFirstPage ? none : html`<a href="${accountUri}#applications">Latest applications</a>`;
  const links = next === undefined && isFirstPage ? none : html`<p class="more">${first}${next ?? none}</p>`;
  // A page can consist of grants whose applications have lost their access, and the next one have others.
  const noApplication =
    links === none ? 'No application can act for you.' : 'No application on this page can act for you.';
  return html`<section aria-labelledby="applications"><h2 id="applications">Applications</h2>
<p class="note">${applications.length === 0 ? noApplication : 'You allowed these applications to act for you. Each application chose the name in quotation marks itself.'}</p>
${applications.length === 0 ? none : html`<ul class="entries">${entries}</ul>`}${links}</section>`;
}

function applicationEntry(form: Form, application: AllowedApplication): Markup {
  const { applicationId, sinceMs, lastUsedAtMs } = application;
  const name = quoted(application.name) || 'An application';
  return html`<li><h3 dir="auto">${name}</h3>
<p>It can: ${application.scopes.map(scopeTitle).join('; ')}.</p>
<p>Allowed ${formatDate(sinceMs, utc)}. Last used ${formatTime(lastUsedAtMs, utc)}.</p>
<details><summary>Withdraw<span class="unseen"> the access of ${name}</span>…</summary>
<p>The application can no longer act for you, on any device. It can ask you again.</p>
${form(html`${hidden('application', applicationId)}<div class="actions">${button('withdraw', 'Withdraw access')}</div>`)}</details></li>`;
}

function scopeTitle(scope: string): string {
  const known = Object.entries(scopeDescriptions).find(([name]) => name === scope);
  return known === undefined ? scope : known[1].title;
}

/** Shows the sign-in form, or what can act for a user who is signed in. */
export async function showAccount({
  query,
  headers,
  remote,
  baseUrl,
}: Input<typeof showRoute>): Promise<Reply> {
  const nowMs = clock.nowMs();
  const existingToken = accountCookie.read(headers.cookie, baseUrl);
  const token = existingToken ?? randomToken();
  const formToken = formTokenOf(token);
  const done = readDone(token, query.done);
  const enrolment = enrolmentCookies(query.enrolment, baseUrl);
  const session = existingToken === undefined ? undefined : await accountSessions.find(existingToken, nowMs);
  if (session !== undefined) {
    const forms = { grantId: (text: string) => isId('gnt', text) };
    const startAfter = readCursor(cursorScope(session.userId), query.cursor, forms)?.grantId;
    const overview = await readOverview(session, startAfter, nowMs);
    if (overview !== undefined) {
      const isFirstPage = startAfter === undefined;
      const context = { formToken, done, isFirstPage, address: remote.address };
      return accountFrame.reply(200, overviewPage(overview, context), { cookies: enrolment });
    }
  }
  const notice = query.notice === 'expired' ? sessionEndedNotice : undefined;
  const status = done && doneTexts[done];
  const page = emailPage(formToken, defined({ notice, status }));
  return accountFrame.reply(200, page, {
    cookies: [accountCookie.write(token, baseUrl), ...enrolment],
  });
}

export const handler = withAccountErrorPages(endpoint(showRoute, showAccount));
