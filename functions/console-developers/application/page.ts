import { facts, idText, table, time } from '../../console/pages/blocks.ts';
import { filled } from '../../console/pages/path.ts';
import type { Visit } from '../../console/pages/visit.ts';
import { allows } from '../../shared/contract/operator-scopes.ts';
import { keyUseDays } from '../../shared/contract/secret.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { shownAddresses } from '../../shared/html/text.ts';
import * as env from '../../shared/runtime/env.ts';
import { maxWebhooks } from '../../webhooks/endpoints/webhook.ts';
import { listPath, webhookPath } from '../contracts/paths.ts';
import { deliveryStatus, keyKinds, webhookStatus } from '../words.ts';
import { keySection } from './key-section.ts';
import type { Developer } from './read.ts';
import { differs, type Setting, settingsOf, valueText } from './settings.ts';
import { settingsForm } from './settings-form.ts';

/** An application. The forms are there for operators who may send them. */
export function developerPage(visit: Visit, developer: Developer): Markup {
  const { application } = developer;
  const { applicationId, name, redirectUris, createdAtMs, updatedAtMs } = application;
  const isAdmin = allows(visit.scopes, 'admin');
  return html`<h1 dir="auto">${name || applicationId}</h1>
${facts([
  ['Id, client id of OAuth', idText(applicationId)],
  ['Redirect URIs', redirectUris.join(', ') || 'none'],
  ['Created', time(createdAtMs)],
  ['Changed', updatedAtMs === undefined ? undefined : time(updatedAtMs)],
])}
${requestSection(developer)}
${keySection(visit, developer, isAdmin)}
${webhookSection(visit, developer)}
${settingSection(visit, developer, isAdmin)}
<p class="more"><a href="${visit.href(listPath)}">Other applications</a></p>`;
}

function requestSection({ use: { requests, refusedAtMs } }: Developer): Markup {
  return html`<section aria-labelledby="requests"><h2 id="requests">Requests</h2>
${facts([
  ['In the last second', `${requests} of ${env.applicationRequestsPerSecond()}`],
  ['Last refusal', refusedAtMs === undefined ? `none in ${keyUseDays} days` : time(refusedAtMs)],
])}</section>`;
}

function webhookSection({ href }: Visit, { webhooks }: Developer): Markup {
  const counts = Object.entries(keyKinds).map(([kind, title]) => {
    const count = webhooks.filter(({ webhook }) => webhook.keyKind === kind).length;
    return `${title}: ${count} of ${maxWebhooks}`;
  });
  return html`<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks</h2>
${table(counts.join('. '), {
  columns: [
    {
      title: 'URL',
      cell: ({ webhook }) =>
        html`<a href="${href(filled(webhookPath, webhook))}">${shownAddresses(webhook.url)}</a>`,
    },
    { title: 'For', cell: ({ webhook }) => keyKinds[webhook.keyKind] },
    { title: 'Status', cell: ({ webhook }) => webhookStatus(webhook) },
    {
      title: 'Newest event',
      cell: ({ newest }) =>
        newest === undefined ? 'none' : `${time(newest.createdAtMs)}, ${deliveryStatus(newest)}`,
    },
  ],
  rows: webhooks,
  empty: 'No webhooks.',
})}</section>`;
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
${isAdmin ? settingsForm(visit) : html`<p class="note">Operators with the scope admin change the keys and the settings.</p>`}</section>`;
}

const settingTable = (caption: string, rows: readonly Setting[]) =>
  table(caption, {
    columns: [
      { title: 'Setting', cell: ({ name }) => name },
      { title: 'Value', cell: ({ value, standard }) => valueText(value ?? standard) },
      { title: 'Default', cell: ({ standard }) => valueText(standard) },
    ],
    rows,
    empty: 'No settings.',
  });
