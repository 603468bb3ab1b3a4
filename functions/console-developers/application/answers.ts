/** The pages that answer the forms of an application. */

import { actionForm, facts, hiddenField, idText, reasonField } from '../../console/pages/blocks.ts';
import { column, table } from '../../console/pages/table.ts';
import { type Answer, show, type Visit } from '../../console/pages/visit.ts';
import { settingsWarnings } from '../../shared/accounts/application-warnings.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { type SettingChange, settingChanges, valueText } from './settings.ts';
import { settingsForm } from './settings-form.ts';

const back = ({ href, path }: Visit) =>
  html`<p class="more"><a href="${href(path)}">Back to the application</a></p>`;

/** A change of settings that was entered. */
interface Entered {
  application: Application;
  patch: object;
  /** The settings after it. */
  after: Application['settings'];
}

/**
 * The difference that a change of settings makes, with the form that makes it.
 *
 * @param status 409 when the application was changed after its former page was shown.
 */
export function differencePage(
  visit: Visit,
  { application, patch, after }: Entered,
  status: 200 | 409 = 200,
): Answer {
  const changes = settingChanges(application.settings, after);
  const title = 'Change the settings';
  const stale = html`<p class="alert" role="alert">The application was changed after the page was shown. Nothing was changed by this form. This is the difference now.</p>`;
  return show(
    title,
    html`<h1>${title}</h1>
${status === 409 ? stale : ''}${facts([
  ['Application', application.name],
  ['Id', idText(application.applicationId)],
])}
${differenceTable(changes)}
${settingsWarnings(after).map(({ message }) => html`<p class="note">${message}</p>`)}
${changes.length === 0 ? '' : confirmForm(visit, application, patch)}${back(visit)}`,
    { status },
  );
}

function differenceTable(changes: readonly SettingChange[]): Markup {
  const shown = (value: unknown, standard: unknown) =>
    value === undefined && standard !== undefined ? `default: ${valueText(standard)}` : valueText(value);
  return table(
    'What changes',
    changes,
    [
      column.text('Setting', ({ name }) => name),
      column.block('Before', ({ before, standard }) => html`<del>${shown(before, standard)}</del>`),
      column.block('After', ({ after, standard }) => html`<ins>${shown(after, standard)}</ins>`),
    ],
    'No changes: the settings are as the entry says.',
  );
}

const confirmForm = (visit: Visit, { revision }: Application, patch: object) =>
  actionForm(
    visit,
    visit.path,
    html`${hiddenField('action', 'change-settings')}${hiddenField('revision', revision)}${hiddenField('settings', JSON.stringify(patch))}${reasonField('reason')}<div class="actions"><button type="submit">Change the settings</button></div>`,
  );

/** The page of a form that is refused. Entered settings can be corrected there. */
export function refusedPage(
  visit: Visit,
  {
    status,
    title,
    problems,
    settings,
  }: {
    status: 409 | 422;
    title: string;
    problems: Readonly<Record<string, unknown>>;
    /** As they were entered. */
    settings: string;
  },
): Answer {
  const reasons = Object.entries(problems).map(
    ([name, problem]) => html`<li>${name}: ${String(problem)}</li>`,
  );
  return show(
    title,
    html`<h1>${title}</h1>
<div role="alert"><p>Nothing was changed.</p><ul>${reasons}</ul></div>
${settingsForm(visit, settings)}${back(visit)}`,
    { status },
  );
}
