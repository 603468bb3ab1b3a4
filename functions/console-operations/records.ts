/** The records whose forms show them. They come from the stores: the endpoints that read them would only enlarge the bundle. */
import { toApplicationResponse } from '../applications/present.ts';
import { actsFor, type Command } from '../console/contracts/command.ts';
import { fieldsOf } from '../console/operations/fields.ts';
import type { FormValues } from '../console/operations/values.ts';
import { toPlanResponse } from '../plans/plan.ts';
import { planStore } from '../plans/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { found } from '../shared/contract/errors.ts';
import { toUserResponse } from '../users/present.ts';
import { toWebhookResponse } from '../webhooks/endpoints/schema.ts';
import { webhookStore } from '../webhooks/endpoints/store.ts';

/** Reads a record by its ids, which are fields of its form. */
type Reader = (ids: FormValues) => Promise<object | undefined>;

/** By the operations that change the records. */
const readers: Readonly<Record<string, Reader>> = {
  'applications.update': async ({ 'path.id': id = '' }) => {
    const application = await getApplication(id);
    return application && toApplicationResponse(application);
  },
  'plans.update': async ({ 'path.id': id = '', 'path.planId': planId = '' }) => {
    const plan = await planStore.get(id, planId);
    return plan && toPlanResponse(plan);
  },
  'users.upsert': async ({ 'path.userId': userId = '' }) => {
    const user = await getUser(userId);
    return user && toUserResponse(user);
  },
  'webhooks.webhook-update': async ({ applicationId = '', 'path.id': id = '' }) => {
    const webhook = await webhookStore.get(applicationId, id);
    return webhook && toWebhookResponse(webhook);
  },
};

/** The record of the form of a command, where the address of the page names it. @throws ApiError `not_found` */
export async function recordOf(
  { service, name, route }: Command,
  query: FormValues,
): Promise<object | undefined> {
  const read = readers[`${service}.${name}`];
  const ids = [
    ...fieldsOf(route.params, 'path').map((field) => field.name),
    ...(actsFor(route) ? ['applicationId'] : []),
  ];
  if (read === undefined || !ids.every((id) => query[id])) return undefined;
  return found(await read(query));
}
