/** Each example of the document is sent to the handler of its operation, with the ids and keys of records that exist. */
import { registeredRoutes } from '../../../../functions/routes.ts';
import { recordOf } from '../../../../lib/openapi/example-texts.ts';
import { type Call, call } from '../../../support/call.ts';
import { documentedOperations } from '../../../support/documentation/differences.ts';
import { multipart } from '../../../support/samples/forms.ts';
import { samples } from '../../../support/samples/requests.ts';

/** Stripe signs its events. */
const unsigned = new Set(['payments.stripe-webhook']);
const withBody = registeredRoutes().filter(({ id, route }) => 'body' in route && !unsigned.has(id));

function exampleOf(id: string): Record<string, unknown> {
  const { requestBody } = documentedOperations().get(id) ?? {};
  const [media] = Object.values(requestBody?.content ?? {});
  return media?.examples?.request?.value as Record<string, unknown>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The values of a request by the names of their fields. */
function ownValues(value: unknown): [string, unknown][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    [name, one] as [string, unknown],
    ...ownValues(one),
  ]);
}

/** The fields `path.id` and `body.invoiceId` of a form are those of its request. */
const isOfRecord = (name: string) =>
  name.startsWith('path.') || recordOf(name.replace(/^body\./, '')) !== undefined;

/** The example with the ids, keys and codes of the sample in place of those that stand for them. */
function withOwn(example: unknown, own: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(example)) return example.map((one) => withOwn(one, own));
  if (!isRecord(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      isOfRecord(name) ? (own.get(name) ?? value) : withOwn(value, own),
    ]),
  );
}

const isForm = (sample: Call): sample is Call & { body: string } => typeof sample.body === 'string';

const hasFile = (sample: Call): sample is Call & { body: Uint8Array<ArrayBuffer> } =>
  sample.body instanceof Uint8Array;

/** The fields of a form with a file; another body as it is. */
async function fieldsOf(sample: Call): Promise<unknown> {
  if (!hasFile(sample)) return sample.body;
  return Object.fromEntries(await new Response(sample.body, { headers: sample.headers ?? {} }).formData());
}

/** The request of a sample with the example as its body. */
async function withBodyOf(sample: Call, example: unknown): Promise<Call> {
  if (isForm(sample))
    return { ...sample, body: String(new URLSearchParams(example as Record<string, string>)) };
  if (!hasFile(sample)) return { ...sample, body: example };
  const fields = Object.entries(example as Record<string, string>);
  const { body, headers } = await multipart(
    fields.map(([name, value]) => [name, name === 'file' ? new File([value], 'day.csv') : value]),
  );
  return { ...sample, body, headers: { ...sample.headers, ...headers } };
}

test.each(withBody)('the example of $id is answered with a success', async ({ id }) => {
  const sample = (await samples[id]?.()) ?? {};
  const sent = isForm(sample) ? Object.fromEntries(new URLSearchParams(sample.body)) : await fieldsOf(sample);
  const example = withOwn(exampleOf(id), new Map(ownValues({ userId: sample.headers?.['x-user-id'], sent })));
  const { status, text } = await call(id, await withBodyOf(sample, example));
  // A page sends the browser on.
  const successes = isForm(sample) || hasFile(sample) ? [200, 303] : [200, 201, 202];
  expect(successes, `${status} ${text.slice(0, 300)} to ${JSON.stringify(example)}`).toContain(status);
});
