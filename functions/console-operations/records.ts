/** The records whose forms show them, as the API returns them. The endpoints that read them would only enlarge the bundle. */
import { toApplicationResponse } from '../applications/present.ts';
import type { Command } from '../console/contracts/command.ts';
import type { FormValues } from '../console/operations/values.ts';
import { toPlanResponse } from '../plans/plan.ts';
import { planStore } from '../plans/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { toUserResponse } from '../users/present.ts';
import { toWebhookResponse } from '../webhooks/endpoints/schema.ts';
import { webhookStore } from '../webhooks/endpoints/store.ts';

/** The names of the ids of a record, and how it is read by them. */
interface Reader {
  readonly ids: readonly string[];
  readonly read: (...ids: string[]) => Promise<object | undefined>;
}

/** By the operations that change the records. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'applications.update',
    {
      ids: ['path.id'],
      read: async (id = '') => {
        const application = await getApplication(id);
        return application && toApplicationResponse(application);
      },
    },
  ],
  [
    'plans.update',
    {
      ids: ['path.id', 'path.planId'],
      read: async (id = '', planId = '') => {
        const plan = await planStore.get(id, planId);
        return plan && toPlanResponse(plan);
      },
    },
  ],
  [
    'users.upsert',
    {
      ids: ['path.userId'],
      read: async (userId = '') => {
        const user = await getUser(userId);
        return user && toUserResponse(user);
      },
    },
  ],
  [
    'webhooks.webhook-update',
    {
      ids: ['applicationId', 'path.id'],
      read: async (applicationId = '', id = '') => {
        const webhook = await webhookStore.get(applicationId, id);
        return webhook && toWebhookResponse(webhook);
      },
    },
  ],
]);

/** The record of the form of a command, where the address of the page names it. @throws ApiError `not_found` */
export async function recordOf({ service, name }: Command, query: FormValues): Promise<object | undefined> {
  const reader = readers.get(`${service}.${name}`);
  const ids = reader?.ids.flatMap((one) => query[one] || []);
  if (reader === undefined || ids?.length !== reader.ids.length) return undefined;
  const record = await reader.read(...ids);
  if (record === undefined) throw new ApiError('not_found');
  return record;
}
