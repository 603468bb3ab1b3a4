/** A request about records of another application is answered as one about records that nobody has, and leaves them as they are. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answered, type Call, call } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

/** The callers that are an application, or act for one. */
const applications: ReadonlySet<Auth> = new Set(['application', 'seller', 'apiKey', 'links']);
const routes = registeredRoutes().filter(({ route }) => applications.has(route.auth));

const nobody = randomUUID();
/** A text whose ids are those of no record. */
const ofNobody = (text: string): string =>
  text
    .replaceAll(/\b[a-z]{3}_[0-9A-Z]{26,53}\b/g, (id) => id.slice(0, 'inv_'.length).padEnd(id.length, '0'))
    .replaceAll(/\bSUB-[0-9A-Z]{8}\b/g, 'SUB-00000000')
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, nobody);
/** The ids and times of an answer are its own. */
const compared = ({ status, text }: Answered) => [
  status,
  ofNobody(text).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time'),
];

const sampleOf = async (id: string): Promise<Call> => (await samples[id]?.()) ?? {};
const refused: string[] = [];

test.each(routes)(
  '$id answers another application as if the records did not exist',
  async ({ id, route }) => {
    const { headers: owner, ...theirs } = await sampleOf(id);
    const absent: Call = JSON.parse(ofNobody(JSON.stringify(theirs)));
    if (isDeepStrictEqual(absent, theirs)) return;
    const { authorization = '' } = (await sampleOf(id)).headers ?? {};
    const ask = async (request: Call) =>
      compared(await call(id, { ...request, headers: Object.assign({}, owner, { authorization }) }));
    const answer = await ask(theirs);
    expect(answer).toEqual(await ask(absent));
    if (answer[0] === 404) {
      refused.push(id);
      const params = Object.fromEntries(Object.keys(theirs.params ?? {}).map((name) => [name, 'no id']));
      if (theirs.params !== undefined) expect(await ask({ ...theirs, params })).toEqual(answer);
    }
    const { status, text } = await call(id, defined({ ...theirs, headers: owner }));
    expect(status, text).toBe(route.status ?? 200);
  },
);

test('most of these operations name a record', () => {
  expect(refused.length).toBeGreaterThan(35);
});
