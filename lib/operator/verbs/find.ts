/** The verbs that find one record of a kind: the search, and the request that shows what it found. */
import { defined } from '../../../functions/shared/contract/defined.ts';
import { isObject } from '../../../functions/shared/contract/merge-patch.ts';
import { allPages, CommandFailed, send } from '../api.ts';
import { foundKinds } from '../operations.ts';
import { commandNamed, commandOf, requestOf } from '../requests.ts';
import { type ParsedArguments, type Result, type Session, text, type Verb } from '../verb.ts';

type Fields = ParsedArguments['fields'];

/** The objects of verbs, where they have another name than the kind. */
const objects: Readonly<Record<string, string>> = { link: 'review' };

export const findVerbs: readonly Verb[] = foundKinds.map((kind) => ({
  name: `${kind.replaceAll('_', '-')} find`,
  summary: `Shows the ${kind.replaceAll('_', ' ')} that an id, a number or an address names.`,
  positionals: [{ name: 'text', field: 'q' }],
  options: { application: text('applicationId', 'only records of this application') },
  run: ({ fields }, session) => find(kind, fields, session),
}));

/** @throws CommandFailed when there is no record. */
async function find(kind: string, fields: Fields, session: Session): Promise<Result> {
  const found = await send(session.connection(), requestOf(commandOf('searchRecords'), fields));
  const hits = isObject(found) && Array.isArray(found.hits) ? found.hits.filter(isObject) : [];
  const own = hits.filter((hit) => hit.kind === kind);
  const [hit] = own;
  if (own.length > 1)
    return { body: { hits: own }, note: 'Several records match. Repeat the command with one of these ids.' };
  if (hit !== undefined) return { body: await recordOf(hit, kind, session) };
  const ofClients = hits.filter((one) => one.kind === 'client');
  const lists = await Promise.all(ofClients.map((client) => ofClient(client, kind, session)));
  const entries = lists.flatMap((list) => list?.entries ?? []);
  const name = lists.find((list) => list !== undefined)?.name;
  if (name !== undefined && entries.length > 0) return { body: { [name]: entries } };
  const next = 'Use search, which finds records of every kind, or name the application with --application.';
  throw new CommandFailed(`Nothing was found. ${next}`, { code: 'not_found', next });
}

/** The record of a hit; the hit itself where no operator key can read the record. */
async function recordOf(hit: Fields, kind: string, session: Session) {
  const show = commandNamed(`${objectOf(kind)} show`);
  if (show === undefined) return hit;
  const names = [...show.row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ids = [hit.applicationId, hit.id].slice(-names.length);
  const fields = {
    ...defined({ applicationId: show.row.actsFor ? hit.applicationId : undefined }),
    ...Object.fromEntries(names.map((name, i) => [name, ids[i]])),
  };
  return send(session.connection(), requestOf(show, fields));
}

/** The records of a client, of a kind whose list can be limited to a client. */
async function ofClient({ applicationId, id: externalId }: Fields, kind: string, session: Session) {
  const list = commandNamed(`${objectOf(kind)} list`);
  const isOfClients = list?.description.fields.some(({ name }) => name === 'externalId');
  if (list === undefined || !isOfClients || externalId === undefined) return undefined;
  const request = requestOf(list, { applicationId, externalId });
  const entries: unknown[] = [];
  for await (const entry of allPages(session.connection(), request)) entries.push(entry);
  return { name: list.row.list ?? '', entries };
}

const objectOf = (kind: string) => objects[kind] ?? kind.replaceAll('_', '-');
