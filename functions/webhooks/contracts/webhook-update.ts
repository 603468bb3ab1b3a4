import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals } from '../../shared/contract/route-parts.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { fields, WebhookPath } from '../api/requests.ts';
import { OneWebhook } from '../api/responses.ts';
import { applicationRoute } from './common.ts';

const WebhookChange = z.object({ ...z.partial(z.object(fields)).shape, revision: seenRevision });

export const route = defineRoute({
  method: 'PUT',
  path: '/api/v1/webhooks/{id}',
  words: { title: 'Change the webhook', notice: 'The webhook is changed.' },
  summary: 'Updates a webhook.',
  description: [
    'Omitted fields keep their values.',
    '`active: true` enables a webhook that the service disabled; its failures are forgotten.',
    'Deliveries that wait for an attempt go to the new `url`.',
  ].join(' '),
  ...applicationRoute,
  operatorScope: 'admin',
  params: WebhookPath,
  body: WebhookChange,
  response: OneWebhook,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: { table: { WEBHOOK: ['GetItem', 'UpdateItem'] } },
});
