/** What a caller sends reaches no log, however malformed it is: parsers quote the text that they refuse. */

import { Logger } from '@aws-lambda-powertools/logger';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { call } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import { logged } from '../../support/logged.ts';
import { withLoneSurrogates } from '../../support/samples/malformed.ts';
import { samples } from '../../support/samples/requests.ts';

// Tests are silent, and a logger keeps the level of its creation: it has another one for the time of each record.
beforeAll(() => {
  const spies = (['debug', 'info', 'warn', 'error', 'critical'] as const).map((level) => {
    const write = Logger.prototype[level];
    return vi.spyOn(Logger.prototype, level).mockImplementation(function (this: Logger, ...record) {
      const before = this.getLevelName();
      this.setLogLevel('DEBUG');
      try {
        write.apply(this, record);
      } finally {
        // The files after this one in the worker share its loggers.
        this.setLogLevel(before);
      }
    });
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
});

const secret = 's3cretOfTheCaller';
const bodies = [
  secret,
  `{"${secret}`,
  `{"a":"${secret}"`,
  `{"a":${secret}}`,
  `["${secret}",]`,
  `"${secret}"`,
  `{"${secret}":1,"${secret}":2}`,
  `${secret}=${secret}&${secret}=%E0%A4%A`,
  '\u0000'.concat(secret),
];

/** Requests with the secret where each route reads something. */
async function malformedRequests({ id, route }: Registered) {
  const sample = (await samples[id]?.()) ?? {};
  const everywhere = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, secret]));
  const headers = ['x-user-id', 'idempotency-key', 'stripe-signature', 'x-device-id', 'cookie', 'accept'];
  return [
    ...bodies.map((body) => ({ ...sample, body })),
    { ...sample, query: everywhere(Object.keys(route.query?.shape ?? {})) },
    { ...sample, headers: { ...sample.headers, ...everywhere(headers), 'user-agent': secret } },
    { ...sample, headers: { ...sample.headers, authorization: `Bearer ${secret}` } },
    {
      ...sample,
      headers: { ...sample.headers, authorization: `Basic ${btoa(`${secret}%E0%A4%A:${secret}`)}` },
    },
    { ...sample, headers: { ...sample.headers, 'content-type': secret } },
    { ...sample, params: everywhere(Object.keys(sample.params ?? {})) },
    ...withLoneSurrogates(route, sample).map(({ request }) =>
      JSON.parse(JSON.stringify(request).replaceAll('a\\ud800', `${secret}\\ud800`)),
    ),
  ];
}

test.each(registeredRoutes())('$id logs nothing of a malformed request', async (entry) => {
  let requests: Awaited<ReturnType<typeof malformedRequests>> = [];
  await logged(async () => {
    requests = await malformedRequests(entry);
  });
  const lines = await logged(async () => {
    for (const request of requests) await call(entry.id, request);
  });
  const log = lines.join('\n');
  expect(log).toContain(`"${entry.route.method} ${entry.route.path}"`);
  expect(log).not.toContain('"level": "ERROR"');
  expect(log).not.toContain(secret);
});

test.each([
  ['webhooks.webhook-create', 201],
  ['webhooks.webhook-rotate', 200],
])('%s logs nothing of the signing secret that it shows', async (id, status) => {
  const request = (await samples[id]?.()) ?? {};
  let shown = '';
  const lines = await logged(async () => {
    const answer = await call(id, request);
    expect(answer.status).toBe(status);
    shown = answer.body.secret;
  });
  expect(shown).toMatch(/^whsec_/);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain('whsec_');
});

describe('an error of a parser or an SDK that quotes the caller', () => {
  const causes: [string, () => Error][] = [
    ['JSON.parse', () => thrownBy(() => JSON.parse(`{"a":"${secret}`))],
    ['JSON.parse, in several lines', () => thrownBy(() => JSON.parse(`\n    at ${secret} (`))],
    ['BigInt', () => thrownBy(() => BigInt(secret))],
    ['RegExp', () => thrownBy(() => new RegExp(`(${secret}`))],
    ['URL', () => thrownBy(() => new URL(secret))],
    [
      'SES',
      () =>
        new Error(`Email address is not verified. The following identities failed: ${secret}@example.com`),
    ],
    ['a cause', () => new Error('failed', { cause: thrownBy(() => JSON.parse(secret)) })],
  ];

  test.each(causes)('reaches no log: %s', async (_, causeOf) => {
    const fault = failTable(() => causeOf());
    const lines = await logged(async () => {
      const { status } = await call('shares.open', { query: { id: `m${'A'.repeat(22)}` } });
      expect(status).toBe(500);
    });
    fault.restore();
    const log = lines.join('\n');
    expect(log).toContain('"cause"');
    expect(log).not.toContain(secret);
    // Where it was thrown remains.
    expect(log).toContain('logs.test.ts');
  });

  function thrownBy(work: () => unknown): Error {
    try {
      work();
    } catch (error) {
      return error as Error;
    }
    throw new Error('nothing was thrown');
  }
});
