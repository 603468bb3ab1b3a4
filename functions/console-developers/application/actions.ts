/** The changes of the settings of an application. The record of an action is written in the transaction that does it. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { patchedSettings } from '../../applications/change.ts';
import { SettingsPatch } from '../../applications/schemas.ts';
import { applicationStore } from '../../applications/store.ts';
import type { FormOf } from '../../console/contracts/console-route.ts';
import { filled } from '../../console/pages/path.ts';
import { type Answer, redirectTo, type Visit } from '../../console/pages/visit.ts';
import { foundApplication } from '../../shared/accounts/applications.ts';
import { ApiError, type ErrorCode } from '../../shared/contract/errors.ts';
import { parseFields } from '../../shared/lambda/parse-request.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { type ApplicationAction, route } from '../contracts/action.ts';
import { differencePage, refusedPage } from './answers.ts';

/** The application of a form, and who sent it. */
interface Acting {
  applicationId: string;
  visit: Visit;
}

/** Carries out an action, or says why nothing was done. @throws ApiError `not_found` without the application. */
export async function carryOut(acting: Acting, form: ApplicationAction): Promise<Answer> {
  try {
    switch (form.action) {
      case 'show-settings':
        return await showSettings(acting, form);
      case 'change-settings':
        return await changeSettings(acting, form);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const refusal = refusals[error.code];
    if (refusal === undefined) throw error;
    return refusedPage(acting.visit, { ...refusal, problems: error.details ?? {}, settings: form.settings });
  }
}

async function showSettings(
  { applicationId, visit }: Acting,
  { settings }: FormOf<ApplicationAction, 'show-settings'>,
): Promise<Answer> {
  const patch = patchOf(settings);
  const application = await foundApplication(applicationId);
  return differencePage(visit, { application, patch, after: patchedSettings(application, patch) });
}

/** Changes the settings of an application that is as the page showed it. */
function changeSettings(
  { applicationId, visit }: Acting,
  { settings, revision, reason }: FormOf<ApplicationAction, 'change-settings'>,
): Promise<Answer> {
  const patch = patchOf(settings);
  return retryOnConflict(async () => {
    const application = await foundApplication(applicationId);
    const after = patchedSettings(application, patch);
    const isDone = isDeepStrictEqual(after, application.settings);
    if (!isDone && application.revision !== revision)
      return differencePage(visit, { application, patch, after }, 409);
    const authorship = { atMs: clock.nowMs(), ...visit.operator, reason };
    const updated = isDone || (await applicationStore.update(application, { settings: after }, authorship));
    return updated
      ? redirectTo(filled(route.path, { applicationId }), 'The settings are as the form says.')
      : undefined;
  });
}

const EnteredPatch = z.object({ settings: SettingsPatch });

/** The merge patch of a form. @throws ApiError `invalid_request` */
function patchOf(settings: string): SettingsPatch {
  return parseFields(route, EnteredPatch, { settings: parsed(settings) }, 'body').settings;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text.
    throw new ApiError('invalid_request', { details: { settings: 'is not valid JSON' } });
  }
}

const refusals: Readonly<Partial<Record<ErrorCode, { status: 409 | 422; title: string }>>> = {
  conflict: { status: 409, title: 'Nothing was changed' },
  invalid_request: { status: 422, title: 'An entry is not possible' },
};
