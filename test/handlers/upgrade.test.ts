/** The data that the last release wrote is read and changed by this one: each scenario that it prepared succeeds now. */
import { createTable } from '../../lib/local/table.ts';
import { lastRelease, loadTable, readFixture } from '../upgrade/fixture.ts';
import { recordedScenarios } from '../upgrade/scenarios.ts';

const { recordedAt, requests, items } = readFixture(lastRelease);
const scenarios = recordedScenarios();
const { TABLE_NAME: table = '' } = process.env;

beforeAll(async () => {
  process.env.TABLE_NAME = `${table}-upgrade`;
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
  await loadTable(process.env.TABLE_NAME, items);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(recordedAt) });
});
afterAll(() => {
  vi.useRealTimers();
  process.env.TABLE_NAME = table;
});

test('each recorded request is that of a scenario', () => {
  const names = scenarios.map(({ name }) => name);
  expect(Object.keys(requests).filter((name) => !names.includes(name))).toEqual([]);
});

// Scenarios that find the records of others come last.
const inOrder = scenarios.toSorted((a, b) => Number(a.alone) - Number(b.alone));

test.each(inOrder.filter(({ name }) => name in requests))(
  '$name',
  async ({ name, statuses, send, rules }) => {
    const request = requests[name] ?? {};
    const answer = await send(request, 0);
    expect(statuses, answer.text).toContain(answer.status);
    await rules.verify?.(request, answer);
  },
);
