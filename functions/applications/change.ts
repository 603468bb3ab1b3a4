import type { Application } from '../shared/accounts/applications.ts';
import { mergePatch } from '../shared/contract/merge-patch.ts';
import { parseFields, refuseUnknown } from '../shared/lambda/parse-request.ts';
import * as env from '../shared/runtime/env.ts';
import { checkGateway } from './available-gateway.ts';
import { updateRoute } from './routes.ts';
import { ChangedSettings, type SettingsPatch } from './schemas.ts';

/**
 * The settings of an application after a merge patch, by the rules for a new application.
 *
 * @throws ApiError `invalid_request`, whose details name each offending setting.
 */
export function patchedSettings(
  { settings }: Pick<Application, 'settings'>,
  patch: SettingsPatch,
): Application['settings'] {
  checkGateway(patch.paymentGateway, env.sandboxGateway());
  // The patch removes a field that is null.
  refuseUnknown(updateRoute, ChangedSettings, { settings: patch });
  return parseFields(updateRoute, ChangedSettings, { settings: mergePatch(settings, patch) }, 'body')
    .settings;
}
