import { registeredRoutes } from '../../../functions/routes.ts';
import { defaultMaxBodyBytes, maxResultBytes, type Route } from '../../../functions/shared/contract/route.ts';
import { call, resultBytes } from '../../support/call.ts';
import { largestAnswer } from '../../support/documentation/largest-answers.ts';
import { samples } from '../../support/samples/requests.ts';

/** For the headers: API Gateway returns at most 10,240 bytes of them. */
const headers = { 'x-any': 'x'.repeat(10_240) };

const json = registeredRoutes().filter(({ route }) => (route as Route).produces === undefined);

test.each(json)('the largest answer of $id fits into a result of Lambda', ({ id, route }) => {
  const body = JSON.stringify(largestAnswer(id, route.response));
  expect(resultBytes({ statusCode: 200, headers, body, isBase64Encoded: false })).toBeLessThan(
    maxResultBytes,
  );
});

test('an error about the largest body names some of its fields, and fits into a result of Lambda', async () => {
  const request = (await samples['applications.create']?.()) ?? {};
  const names = Array.from({ length: 5_000 }, (_, i) => `"${i}`);
  const body = { ...(request.body as object), settings: Object.fromEntries(names.map((name) => [name, 1])) };
  expect(JSON.stringify(body).length).toBeLessThan(defaultMaxBodyBytes);
  const { status, body: answer, text } = await call('applications.create', { ...request, body });
  expect([status, answer.error]).toEqual([400, 'invalid_request']);
  expect(Object.keys(answer.details)).toHaveLength(20);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(maxResultBytes / 2);
});
