/** Records of developers in a few words. */
import { time } from '../console/pages/blocks.ts';
import type { Delivery } from '../webhooks/deliveries/delivery.ts';
import type { Webhook } from '../webhooks/endpoints/webhook.ts';

export const keyKinds = { client_secret: 'Client secret', api_key: 'API key' } as const;

const disabledBecause = { gone: 'it answered 410', failing: 'it failed for five days' } as const;

/** `active, failing since 3 December 2026, 12:00 UTC` */
export function webhookStatus({ isActive, disabled, failingSinceMs }: Webhook): string {
  if (isActive)
    return failingSinceMs === undefined ? 'active' : `active, failing since ${time(failingSinceMs)}`;
  return disabled === undefined
    ? 'switched off'
    : `disabled: ${disabledBecause[disabled.reason]}, ${time(disabled.atMs)}`;
}

/** `failed: exhausted` */
export function deliveryStatus({ status, reason }: Delivery): string {
  return reason === undefined ? status : `${status}: ${reason.replaceAll('_', ' ')}`;
}
