import { isDeepStrictEqual } from 'node:util';
import { flat } from '../console/operations/difference.ts';
import { operationHref, operationLink } from '../console/operations/form.ts';
import { valueText } from '../console/operations/values.ts';
import { facts, idText, moment, section } from '../console/pages/blocks.ts';
import { column, table } from '../console/pages/table.ts';
import { type Answer, filled, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Plan } from '../plans/plan.ts';
import { defaultSettings } from '../shared/accounts/default-settings.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { keyUseDays } from '../shared/contract/secret.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import * as env from '../shared/runtime/env.ts';
import { maxWebhooks } from '../webhooks/endpoints/webhook.ts';
import { keySection } from './application/key-section.ts';
import { type Developer, readDeveloper, shownPlans } from './application/read.ts';
import { showRoute, webhookPath } from './routes.ts';
import { deliveryStatus, keyKinds, webhookStatus } from './words.ts';

/** A setting with its value and its default; undefined is none. */
export interface Setting {
  name: string;
  value: unknown;
  defaultValue: unknown;
}

const defaults = flat(defaultSettings);

/** The settings that are set or have a default, as one list by their names: `dunning.graceDays`. */
export function settingsOf(settings: object): Setting[] {
  const values = flat(settings);
  return [...new Set([...values.keys(), ...defaults.keys()])].toSorted().map((name) => ({
    name,
    value: values.get(name),
    defaultValue: defaults.get(name),
  }));
}

/** Whether a setting is set to another value than its default. */
export const differs = ({ value, defaultValue }: Setting): boolean =>
  value !== undefined && !isDeepStrictEqual(value, defaultValue);

/** An application. The forms are there for operators who may send them. */
export function developerPage(visit: Visit, developer: Developer): Markup {
  const { application } = developer;
  const { applicationId, name, redirectUris, createdAtMs, updatedAtMs } = application;
  const isAdmin = allows(visit.scopes, 'admin');
  return html`<h1 dir="auto">${name || applicationId}</h1>
${facts([
  ['Id, client id of OAuth', idText(applicationId)],
  ['Redirect URIs', redirectUris.join(', ') || 'none'],
  ['Created', moment(createdAtMs)],
  ['Changed', updatedAtMs === undefined ? undefined : moment(updatedAtMs)],
])}
${requestSection(developer)}
${keySection(visit, developer, isAdmin)}
${planSection(visit, developer, isAdmin)}
${webhookSection(visit, developer, isAdmin)}
${settingSection(visit, developer, isAdmin)}`;
}

function requestSection({ use: { requests, refusedAtMs } }: Developer): Markup {
  const requestFacts = facts([
    ['In the last second', `${requests} of ${env.applicationRequestsPerSecond()}`],
    ['Last refusal', refusedAtMs === undefined ? `none in ${keyUseDays} days` : moment(refusedAtMs)],
  ]);
  return section('requests', 'Requests', requestFacts);
}

function planSection(visit: Visit, { application, plans }: Developer, isAdmin: boolean): Markup {
  const { applicationId } = application;
  const ids = { 'path.id': applicationId };
  const name = isAdmin
    ? column.link(
        'Name',
        (plan: Plan) => plan.name,
        ({ planId }) =>
          operationHref(visit, 'plans', 'update', Object.assign({ 'path.planId': planId }, ids)),
      )
    : column.text('Name', (plan: Plan) => plan.name);
  const shown = table(
    `The ${plans.length} oldest`,
    plans,
    [
      name,
      column.amount('Price', ({ priceMinor, currency }) => [priceMinor, currency]),
      column.text('Term', ({ billingCycle }) => billingCycle),
      column.status('Status', ({ isActive }) => (isActive ? 'active' : 'inactive')),
      column.id('Id', ({ planId }) => planId),
    ],
    'No plans.',
  );
  const more =
    plans.length === shownPlans ? html`<p class="note">The search finds every plan by its id.</p>` : '';
  const create = html`<p>${operationLink(visit, 'plans', 'create', 'Create a plan', ids)}</p>`;
  return section('plans', 'Plans', html`${shown}${more}${isAdmin ? create : ''}`);
}

function webhookSection(visit: Visit, { application, webhooks }: Developer, isAdmin: boolean): Markup {
  const { href } = visit;
  const counts = Object.entries(keyKinds).map(([kind, title]) => {
    const count = webhooks.filter(({ webhook }) => webhook.keyKind === kind).length;
    return `${title}: ${count} of ${maxWebhooks}`;
  });
  const shown = table(
    counts.join('. '),
    webhooks,
    [
      column.link(
        'URL',
        ({ webhook }) => webhook.url,
        ({ webhook }) => href(filled(webhookPath, webhook)),
      ),
      column.text('For', ({ webhook }) => keyKinds[webhook.keyKind]),
      column.status('Status', ({ webhook }) => webhookStatus(webhook)),
      column.time('Newest event', ({ newest }) => newest?.createdAtMs),
      column.status('Its delivery', ({ newest }) => (newest === undefined ? 'none' : deliveryStatus(newest))),
    ],
    'No webhooks.',
  );
  const create = operationLink(visit, 'webhooks', 'webhook-create', 'Create a webhook', {
    applicationId: application.applicationId,
  });
  return section('webhooks', 'Webhooks', html`${shown}${isAdmin ? html`<p>${create}</p>` : ''}`);
}

function settingSection(visit: Visit, { application }: Developer, isAdmin: boolean): Markup {
  const settings = settingsOf(application.settings);
  return html`<section aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
${settingTable('That differ from the default', settings.filter(differs))}
<details><summary>All others, with their defaults</summary>
${settingTable(
  'As the default',
  settings.filter((one) => !differs(one)),
)}</details>
${isAdmin ? html`<p>${operationLink(visit, 'applications', 'update', 'Change the application', { 'path.id': application.applicationId })}</p>` : html`<p class="note">Operators with the scope admin change the keys and the settings.</p>`}</section>`;
}

const settingTable = (caption: string, rows: readonly Setting[]) =>
  table(
    caption,
    rows,
    [
      column.text('Setting', ({ name }) => name),
      column.text('Value', ({ value, defaultValue }) => valueText(value ?? defaultValue)),
      column.text('Default', ({ defaultValue }) => valueText(defaultValue)),
    ],
    'No settings.',
  );

/** Shows an application with its keys, settings, webhooks and requests. */
export async function showDeveloper({ params }: Input<typeof showRoute>, visit: Visit): Promise<Answer> {
  const developer = await readDeveloper(params.applicationId, visit.nowMs);
  if (developer === undefined) throw new ApiError('not_found');
  const { name, applicationId } = developer.application;
  return show(name || applicationId, developerPage(visit, developer));
}

export const handler = consoleEndpoint(showRoute, 'support', showDeveloper);
