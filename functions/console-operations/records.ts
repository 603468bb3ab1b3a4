/** The records whose forms show them, as the API returns them. */
import { route as applicationRoute } from '../applications/contracts/read.ts';
import { readApplication } from '../applications/read.ts';
import { actsFor, type Command } from '../console/contracts/command.ts';
import { inputFields } from '../console/operations/form.ts';
import { callerOf } from '../console/operations/perform.ts';
import { objectOf } from '../console/operations/values.ts';
import type { Visit } from '../console/pages/visit.ts';
import { route as planRoute } from '../plans/contracts/read.ts';
import { readPlan } from '../plans/read.ts';
import type { Input, Output, Route } from '../shared/contract/route.ts';
import { parseParts } from '../shared/lambda/parse-request.ts';
import { route as userRoute } from '../users/contracts/read.ts';
import { readUser } from '../users/read.ts';
import { route as webhookRoute } from '../webhooks/contracts/webhook-read.ts';
import { readWebhook } from '../webhooks/webhook-read.ts';

/** Reads a record, with the input of a request of the operation that reads it. */
interface Reader {
  readonly route: Route;
  readonly read: (input: object) => Promise<object>;
}

const reader = <R extends Route>(
  route: R,
  run: (input: Input<R>) => Promise<Output<R>>,
  recordOf: (response: Output<R>) => object,
): Reader => ({
  route,
  // The input is parsed by the route.
  read: async (input) => recordOf(route.response.parse(await run(input as Input<R>)) as Output<R>),
});

/** By the operations that change the records. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['applications.update', reader(applicationRoute, readApplication, ({ application }) => application)],
  ['plans.update', reader(planRoute, readPlan, ({ plan }) => plan)],
  ['users.upsert', reader(userRoute, readUser, ({ user }) => user)],
  ['webhooks.webhook-update', reader(webhookRoute, readWebhook, ({ webhook }) => webhook)],
]);

/**
 * The record of the form of a command, where the address of the page names it.
 *
 * @throws ApiError `not_found`, `invalid_request`
 */
export async function recordOf(
  { service, name }: Command,
  { query, operator }: Visit,
): Promise<object | undefined> {
  const reader = readers.get(`${service}.${name}`);
  if (reader === undefined) return undefined;
  const { route, read } = reader;
  const ids = inputFields(route).filter((field) => field.name.startsWith('path.'));
  const names = [...ids.map((field) => field.name), ...(actsFor(route) ? ['applicationId'] : [])];
  if (!names.every((one) => query[one])) return undefined;
  const parsed = parseParts(route, { params: objectOf(ids, query), headers: {}, body: undefined });
  const caller = await callerOf(route, query, operator);
  return read(Object.assign(parsed, { caller, rateLimitPassed: Promise.resolve() }));
}
