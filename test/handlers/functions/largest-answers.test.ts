import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../functions/routes.ts';
import { defaultMaxBodyBytes, maxResultBytes } from '../../../functions/shared/contract/route.ts';
import { call, registered, resultBytes } from '../../support/call.ts';
import { largestAnswers } from '../../support/largest-answers.ts';
import { samples } from '../../support/samples/requests.ts';

/** For the headers: API Gateway returns at most 10,240 bytes of them. */
const headers = { 'x-any': 'x'.repeat(10_240) };

test('every route has its largest answer or a reason', () => {
  const ids = registeredRoutes().map(({ id }) => id);
  expect(Object.keys(largestAnswers).sort()).toEqual(ids.sort());
});

describe.each(Object.entries(largestAnswers))('the largest answer of %s', (id, largest) => {
  test('fits into a result of Lambda', () => {
    if ('because' in largest) {
      expect(largest.bytes).toBeLessThan(maxResultBytes);
      return;
    }
    const { response } = registered(id).route;
    const parsed = response.parse(largest.value);
    expect(parsed).toStrictEqual(largest.value);
    const result = { statusCode: 200, headers, body: JSON.stringify(parsed), isBase64Encoded: false };
    expect(resultBytes(result)).toBeLessThan(maxResultBytes);
  });
});

test('an error that names every field of the largest body fits into a result of Lambda', async () => {
  const request = (await samples['operator.application-create']?.()) ?? {};
  const names = Array.from({ length: 5_000 }, (_, i) => `"${i}`);
  const body = { ...(request.body as object), settings: Object.fromEntries(names.map((name) => [name, 1])) };
  expect(JSON.stringify(body).length).toBeLessThan(defaultMaxBodyBytes);
  const { status, body: answer, text } = await call('operator.application-create', { ...request, body });
  expect([status, answer.error]).toEqual([400, 'invalid_request']);
  expect(Object.keys(answer.details)).toHaveLength(names.length);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(maxResultBytes / 2);
});
