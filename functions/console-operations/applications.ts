import { patchedSettings } from '../applications/change.ts';
import { createApplication } from '../applications/create.ts';
import { createKey } from '../applications/key-create.ts';
import { revokeKey } from '../applications/key-revoke.ts';
import { updateApplication } from '../applications/update.ts';
import type { Preview } from '../console/contracts/command.ts';
import { differences, differenceTable } from '../console/operations/difference.ts';
import { operationsEndpoint } from '../console/operations/perform.ts';
import { settingsWarnings } from '../shared/accounts/application-warnings.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import { defaultSettings } from '../shared/accounts/default-settings.ts';
import type { Input } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { commands, route } from './contracts/applications.ts';

/** The difference that a change makes to an application, with the warnings about its settings. */
async function previewChange({ params: { id }, body }: Input<typeof commands.update>): Promise<Preview> {
  const application = await foundApplication(id);
  const { name, redirectUris, settings } = application;
  const after = {
    name: body.name ?? name,
    redirectUris: body.redirectUris ?? redirectUris,
    settings: body.settings === undefined ? settings : patchedSettings(application, body.settings),
  };
  const changes = differences({ name, redirectUris, settings }, after, { settings: defaultSettings });
  const warnings = settingsWarnings(after.settings).map(
    ({ message }) => html`<p class="note">${message}</p>`,
  );
  return {
    content: html`${differenceTable(changes)}${warnings}`,
    revision: changes.length === 0 ? undefined : application.revision,
  };
}

export const handler = operationsEndpoint(route, commands, {
  create: createApplication,
  update: { run: updateApplication, preview: previewChange },
  'key-create': createKey,
  'key-revoke': revokeKey,
});
