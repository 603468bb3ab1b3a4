import { actionForm, hiddenField } from '../../console/pages/blocks.ts';
import type { Visit } from '../../console/pages/visit.ts';
import { html, type Markup } from '../../shared/html/markup.ts';

/** The form in which a change of settings is entered. Its answer shows the difference. */
export function settingsForm(visit: Visit, entered = ''): Markup {
  return actionForm(
    visit,
    visit.path,
    html`${hiddenField('action', 'show-settings')}<div class="field"><label for="settings">Changes, as a JSON Merge Patch (RFC 7396)</label><textarea id="settings" name="settings" rows="6" maxlength="20000" autocomplete="off" spellcheck="false" aria-describedby="settings-hint" required>
${entered}</textarea><p class="hint" id="settings-hint">A setting that is not named stays. null removes one. Example: {"dunning": {"graceDays": 10}, "banking": null}</p></div><div class="actions"><button type="submit">Show the difference</button></div>`,
  );
}
