import { settingsWarnings } from '../shared/accounts/application-warnings.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { readApplicationUse } from '../shared/auth/application-use.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { requireRevision } from '../shared/fields/revision.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { patchedSettings } from './change.ts';
import { toApplicationResponse } from './present.ts';
import { updateRoute } from './routes.ts';
import { applicationStore } from './store.ts';

/**
 * Replaces name and redirect URIs, and merges the settings, in one write that is bound to the application as it was read. What a
 * concurrent request changes is merged too.
 */
export const updateApplication: Handler<typeof updateRoute> = async ({ params: { id }, body, caller }) => {
  const { name, redirectUris, settings: patch, revision } = body;
  return retryOnConflict(async () => {
    const [application, use] = await Promise.all([getApplication(id), readApplicationUse(id, clock.nowMs())]);
    if (application === undefined) throw new ApiError('not_found');
    requireRevision(application.revision, revision);
    const settings = patch && patchedSettings(application, patch);
    const change = defined({ name, redirectUris, settings });
    const updated = await applicationStore.update(application, change, { atMs: clock.nowMs(), ...caller });
    if (updated === undefined) return undefined;
    const warnings = settings === undefined ? [] : settingsWarnings(settings);
    return { application: toApplicationResponse(updated, use.keys), warnings };
  });
};

export const handler = endpoint(updateRoute, updateApplication, operatorCaller);
