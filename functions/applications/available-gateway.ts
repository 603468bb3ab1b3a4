import { ApiError } from '../shared/contract/errors.ts';

/**
 * Refuses the sandbox where the deployment has none.
 *
 * @param paymentGateway as requested; undefined when the request does not name one.
 *
 * @throws ApiError `invalid_request`
 */
export function checkGateway(paymentGateway: unknown, sandboxGateway: boolean): void {
  if (paymentGateway !== 'sandbox' || sandboxGateway) return;
  throw new ApiError('invalid_request', {
    details: {
      'settings.paymentGateway':
        'must not be sandbox: the sandbox is off in this deployment (sandboxGateway)',
    },
  });
}
