import type { Registered } from '../../../functions/routes.ts';
import { invokeFunction } from '../../../lib/local/functions.ts';
import type { Draft } from '../../fuzz/draft.ts';
import { Fuzzer } from '../../fuzz/fuzzer.ts';
import { Owners, problemsOf, problemsOfLog } from '../../fuzz/judge.ts';
import type { BrokenRequest } from '../../fuzz/messages.ts';
import { registered } from '../../support/call.ts';
import { assertDocumented } from '../../support/documentation/documented-answers.ts';

/** The findings of the fuzzer in an operation with replaced answers. */
async function found(answer: (entry: Registered) => unknown): Promise<BrokenRequest[]> {
  const invoke = async (entry: Registered) => answer(entry);
  const fuzzer = await Fuzzer.start({ seed: 1, requests: 0, only: 'oauth.metadata', invoke });
  try {
    return (await fuzzer.run(12)).broken;
  } finally {
    await fuzzer.close();
  }
}

const json = { 'content-type': 'application/json' };
const problemsIn = (broken: readonly BrokenRequest[]) =>
  broken.flatMap(({ problems }) => problems).join('\n');

test('finds a function that throws, and prints the request as a command', async () => {
  const broken = await found(() => {
    throw new Error('planted');
  });
  expect(problemsIn(broken)).toContain('a server error: 502');
  expect(broken[0]?.curl).toContain('/.well-known/oauth-authorization-server');
});

test('finds a status and a body that the document does not list', async () => {
  expect(problemsIn(await found(() => ({ statusCode: 418, headers: json, body: '{}' })))).toContain(
    'no status 418',
  );
  expect(problemsIn(await found(() => ({ statusCode: 200, headers: json, body: '{}' })))).toContain('issuer');
});

test('finds a stack trace and a secret in an answer', async () => {
  const body = JSON.stringify({ error: `vcs_${'A'.repeat(22)}` });
  expect(problemsIn(await found(() => ({ statusCode: 200, headers: json, body })))).toContain(
    'the secret vcs_',
  );
  const trace = new Error('planted').stack;
  expect(problemsIn(await found(() => ({ statusCode: 200, headers: json, body: trace })))).toContain(
    'a stack trace',
  );
});

test('finds nothing wrong with the functions of the project', async () => {
  const fuzzer = await Fuzzer.start({ seed: 1, requests: 0, only: 'oauth.metadata', invoke: invokeFunction });
  const { broken, valid } = await fuzzer.run(12).finally(() => fuzzer.close());
  expect(problemsIn(broken)).toBe('');
  expect(valid).toBeGreaterThan(0);
});

const draft: Draft = {
  id: 'links.list',
  method: 'GET',
  path: '/api/trust-links',
  params: {},
  query: [],
  headers: [['authorization', `Bearer vcs_${'B'.repeat(22)}`]],
  body: undefined,
  form: false,
  credential: 'foreign client secret',
};

test('finds a record of another tenant in an answer', () => {
  const owners = new Owners();
  const text = JSON.stringify({ trustLinks: [{ _id: `lnk_${'0'.repeat(26)}` }] });
  const { route } = registered('links.list');
  const received = { status: 200, headers: json, text };
  expect(problemsOf(draft, received, 'links.list', route, owners).join()).not.toContain('tells');
  owners.learn(text);
  expect(problemsOf(draft, received, 'links.list', route, owners).join()).toContain('tells lnk_');
});

test('accepts a name that another tenant stored too', () => {
  const owners = new Owners();
  const name = `user-${'0'.repeat(8)}-${'0'.repeat(27)}`;
  const text = JSON.stringify({ clients: [{ externalId: name }] });
  const listing = { ...draft, id: 'clients.list', credential: 'foreign API key' };
  const { route } = registered('clients.list');
  const told = () =>
    problemsOf(listing, { status: 200, headers: json, text }, 'clients.list', route, owners).join();
  owners.learn(text);
  expect(told()).toContain(`tells ${name}`);
  const upsert = registered('clients.upsert').route;
  const write = {
    ...listing,
    id: 'clients.upsert',
    method: 'POST',
    body: { externalId: name },
  };
  problemsOf(write, { status: 201, headers: json, text: '{}' }, 'clients.upsert', upsert, owners);
  expect(told()).not.toContain('tells');
});

test('finds what the caller sent in a line of the log', () => {
  expect(problemsOfLog('GET /api/trust-links 200', draft)).toEqual([]);
  expect(problemsOfLog(`authorization: ${'B'.repeat(22)} vcs_${'B'.repeat(22)}`, draft)).not.toEqual([]);
});

test('accepts the errors of the gateway for every operation', () => {
  const text = JSON.stringify({ error: 'not_found', message: 'No such path. The reference is at /docs.' });
  expect(() => assertDocumented('shares.open', { status: 404, headers: json, text })).not.toThrow();
  expect(() => assertDocumented('shares.open', { status: 200, headers: json, text })).not.toThrow();
  expect(() => assertDocumented('shares.open', { status: 404, headers: json, text: '{}' })).toThrow('error');
});
