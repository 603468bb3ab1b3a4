import { getApplication } from '../shared/accounts/applications.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { billingUrl } from './pages/link.ts';
import { linkVersion } from './pages/link-version-store.ts';
import { billingPageSettings } from './pages/permissions.ts';
import { billingStore } from './pages/store.ts';
import { linkRoute } from './routes.ts';

/**
 * The link to the billing page of a subscription. With `replace`, the links until now become old; concurrent requests replace
 * them once.
 */
export const billingLink: Handler<typeof linkRoute> = async ({
  params: { id },
  body: { replace = false },
  caller,
  baseUrl,
  rateLimitPassed,
}) => {
  const { applicationId } = caller;
  const [owner, application] = await Promise.all([
    subscriptionQueries.getOwner(applicationId, id),
    getApplication(applicationId),
  ]);
  await rateLimitPassed;
  if (owner === undefined || application === undefined) throw new ApiError('not_found');
  if (!billingPageSettings(application.settings).enabled) {
    throw new ApiError('conflict', { details: { billingPage: 'is off in the settings of the application' } });
  }
  const version = found(replace ? await billingStore.replaceLink(owner) : linkVersion(owner));
  return { billingUrl: await billingUrl(baseUrl, { subscriptionId: id, version }) };
};

export const handler = endpoint(linkRoute, billingLink, apiKeyCaller);
