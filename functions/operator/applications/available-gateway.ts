import type { ApplicationSettings } from '../../shared/accounts/application-settings.ts';
import { ApiError } from '../../shared/contract/errors.ts';

/**
 * Refuses the sandbox where the deployment has none.
 *
 * @throws ApiError `invalid_request`
 */
export function checkGateway(settings: ApplicationSettings | undefined, sandboxGateway: boolean): void {
  if (settings?.paymentGateway !== 'sandbox' || sandboxGateway) return;
  throw new ApiError('invalid_request', {
    details: {
      'settings.paymentGateway':
        'must not be sandbox: the sandbox is off in this deployment (sandboxGateway)',
    },
  });
}
