/** The acts of operators on an application. The record of an act is written in the transaction that does it. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { patchedSettings } from '../../applications/change.ts';
import { type Acting, addKeyTo, revokeKeyOf } from '../../applications/key-changes.ts';
import { newKey } from '../../applications/keys.ts';
import { CreateKeyRequest, SettingsPatch } from '../../applications/schemas.ts';
import { applicationStore } from '../../applications/store.ts';
import { filled } from '../../console/pages/path.ts';
import { type Answer, done, type Visit } from '../../console/pages/visit.ts';
import { foundApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError, type ErrorCode } from '../../shared/contract/errors.ts';
import { parseFields } from '../../shared/lambda/parse-request.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { idempotentRequest, responseWrite, storedResponse } from '../../shared/table/idempotency.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { type ApplicationAct, route } from '../contracts/act.ts';
import { differencePage, refusedPage, secretPage, sentBeforePage } from './answers.ts';

/** A form that was sent. */
interface Sent {
  applicationId: string;
  body: ApplicationAct;
  visit: Visit;
}

/** Carries out an act. @throws ApiError `not_found` without the application. */
export const acts: Readonly<Record<ApplicationAct['action'], (sent: Sent) => Promise<Answer>>> = {
  'create-key': (sent) => orRefused(sent, () => createKey(sent)),

  'revoke-key': (sent) =>
    orRefused(sent, async () => {
      const { applicationId, body } = sent;
      const { keyId = '' } = body;
      if (keyId === '') throw new ApiError('invalid_request');
      // A form that is sent again finds no key, and gets the same answer.
      await revokeKeyOf(applicationId, keyId, actingOf(sent));
      return done(filled(route.path, { applicationId }), `The application has no key ${keyId} now.`);
    }),

  'show-settings': (sent) =>
    orRefused(sent, async () => {
      const patch = patchOf(sent.body);
      const application = await foundApplication(sent.applicationId);
      return differencePage(sent.visit, { application, patch, after: patchedSettings(application, patch) });
    }),

  'change-settings': (sent) => orRefused(sent, () => changeSettings(sent)),
};

/** Creates a key, once. Its secret is in the answer to the form that created it, and nowhere else. */
async function createKey(sent: Sent): Promise<Answer> {
  const { applicationId, body, visit } = sent;
  const { kind: asked, days = '', once = '' } = body;
  if (once === '') throw new ApiError('invalid_request');
  const entered = defined({
    kind: asked,
    expiresInDays: /^\d+$/.test(days) ? Number(days) : days || undefined,
  });
  const { kind, expiresInDays } = parseFields(route, CreateKeyRequest, entered, 'body');
  const by = actingOf(sent);
  const created = newKey(kind, randomToken(), visit.nowMs, expiresInDays);
  const { keyId, secret } = created;
  const { method, path } = route;
  const request = idempotentRequest(applicationId, `console ${once}`, { method, path, body: { kind, days } });
  const writes = request === undefined ? [] : [responseWrite(request, { keyId }, visit.nowMs)];
  const ofForm = await retryOnConflict(async () => {
    const [application, stored] = await Promise.all([
      foundApplication(applicationId),
      storedResponse<{ keyId: string }>(request, visit.nowMs),
    ]);
    if (stored !== undefined) return stored.keyId;
    return (await addKeyTo(application, created, by, writes)) ? keyId : undefined;
  });
  return ofForm === keyId
    ? secretPage(visit, { keyId, kind, secret })
    : sentBeforePage(visit, { keyId: ofForm });
}

/** Changes the settings of an application that is as the page showed it. */
function changeSettings(sent: Sent): Promise<Answer> {
  const { applicationId, body, visit } = sent;
  const patch = patchOf(body);
  const by = actingOf(sent);
  return retryOnConflict(async () => {
    const application = await foundApplication(applicationId);
    const after = patchedSettings(application, patch);
    const isDone = isDeepStrictEqual(after, application.settings);
    if (!isDone && String(application.revision) !== body.revision)
      return differencePage(visit, { application, patch, after }, 409);
    const authorship = { atMs: clock.nowMs(), ...by };
    const updated = isDone || (await applicationStore.update(application, { settings: after }, authorship));
    return updated
      ? done(filled(route.path, { applicationId }), 'The settings are as the form says.')
      : undefined;
  });
}

/** The person who acts. @throws ApiError `invalid_request` without a reason. */
function actingOf({ visit: { operator }, body: { reason } }: Sent): Acting {
  if (reason === undefined) throw new ApiError('invalid_request', { details: { reason: 'is required' } });
  return { ...operator, reason };
}

const EnteredPatch = z.object({ settings: SettingsPatch });

/** The merge patch of a form. @throws ApiError `invalid_request` */
function patchOf({ settings = '' }: ApplicationAct): SettingsPatch {
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
  idempotency_mismatch: { status: 409, title: 'This form was sent before with other entries' },
  invalid_request: { status: 422, title: 'An entry is not possible' },
};

/** The answer of an act, or a page that says why nothing was done. */
async function orRefused({ visit, body }: Sent, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const refusal = error instanceof ApiError ? refusals[error.code] : undefined;
    if (refusal === undefined || !(error instanceof ApiError)) throw error;
    return refusedPage(visit, { ...refusal, problems: error.details ?? {}, body });
  }
}
