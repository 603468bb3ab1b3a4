import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { bundleFunctions } from '../../../lib/deployment/bundling/bundle.ts';
import { geoDirectory, writeGeoLayer } from '../../../lib/geo/layer.ts';
import { proxyEvent } from '../../support/call.ts';
import { bundleExceptions, bundleKb, coldExceptions, coldRatios } from '../budgets.ts';
import { metered } from '../capacity/meter.ts';
import { everyDay } from '../cases/all.ts';
import { prepared } from '../cases/prepare.ts';
import { callersOf } from '../cost/security-tables.ts';
import { printTable, round, verdict } from '../print.ts';
import { type Candidate, type Start, start, startInTurn } from './starts.ts';
import { yardsticks } from './yardsticks.ts';

/** Starts of each function where a person waits for it, and elsewhere. */
const measuredStarts = { waiting: 11, others: 5 };
const sampledStarts = { waiting: 1, others: 1 };

/** A function of the suite. */
interface Ours extends Candidate {
  id: string;
  times: number;
  /** A person waits for it, and not another program. */
  isWaitedFor: boolean;
}

/** A function, the calls of its first request, and the bare handler that makes as many. */
interface Compared {
  one: Ours;
  calls: Start['calls'];
  alike: Candidate;
}

/** Bundles every function as the deployment does, then starts each in new processes, in turn with a bare handler. */
export async function benchCold(chosen: (id: string) => boolean, isSample: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'vouchsafe-bench-'));
  try {
    const alikeOf = await yardsticks(join(directory, 'bare'));
    const compared: Compared[] = [];
    const starts = isSample ? sampledStarts : measuredStarts;
    for (const one of await functions(join(directory, 'ours'), chosen, starts)) {
      const { calls } = await start(one);
      compared.push({ one, calls, alike: alikeOf(calls, await wavesOf(one)) });
    }
    print(compared, await startInTurn(compared));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function functions(
  directory: string,
  chosen: (id: string) => boolean,
  starts: typeof measuredStarts,
): Promise<Ours[]> {
  const chosenRoutes = registeredRoutes().filter(({ id }) => chosen(id));
  const chosenTimers = registeredTimers().filter(({ id }) => chosen(id));
  const registry = [...chosenRoutes, ...chosenTimers];
  const bundles = new Map(
    (await bundleFunctions(directory, { registry })).map((bundle) => [bundle.id, bundle]),
  );
  const candidate = (id: string, isWaitedFor: boolean, event: Candidate['event']): Ours => {
    const bundle = bundles.get(id);
    if (bundle === undefined) throw new Error(`${id} was not bundled`);
    return { id, name: id, bundle, isWaitedFor, times: isWaitedFor ? starts.waiting : starts.others, event };
  };
  const routes = chosenRoutes.map((entry) =>
    candidate(entry.id, isWaitedFor(entry), async () => proxyEvent(entry, await everyDay(entry.id).ready())),
  );
  const timers = chosenTimers.map(({ id }) =>
    candidate(id, false, async () => (await everyDay(id).ready())?.body ?? {}),
  );
  await writeGeoLayer();
  return [...routes.flatMap((one) => (usesGeo(one.id) ? [one, located(one)] : [one])), ...timers];
}

/** Pages, and what they and the clients of people call. Stripe calls its webhook, and programs what needs a key. */
const isWaitedFor = ({ id, route }: Registered) =>
  callersOf[route.auth] === 'anyone' && id !== 'payments.stripe-webhook';

const usesGeo = (id: string) =>
  registeredRoutes().some((entry) => entry.id === id && entry.route.grants.uses?.includes('geo'));

/** The function, called from an address with a known location, so that it opens the geolocation files. */
function located({ event, ...one }: Ours): Ours {
  let next = 1;
  const elsewhere = async () => {
    const request = (await event()) as ReturnType<typeof proxyEvent>;
    // A new address each time, because of the rate limits.
    request.requestContext.identity.sourceIp = `8.8.8.${next++}`;
    return request;
  };
  return { ...one, event: elsewhere, name: `${one.id}, located`, env: { GEO_DIR: geoDirectory } };
}

/** The calls to the table by round trip, in a process that has cached no secret of an application or operator. */
async function wavesOf({ id }: Ours): Promise<number[]> {
  const handle = await prepared({ ...everyDay(id), secret: 'new' });
  return (await metered(handle)).waves;
}

function print(compared: readonly Compared[], measured: Awaited<ReturnType<typeof startInTurn<Ours>>>): void {
  printTable(
    'Cold start: loading and first call in a fresh process, processor time; size of the bundle',
    [
      'function',
      'starts',
      'load ms',
      'with first call',
      'calls',
      'x alike',
      'budget',
      '',
      'KB',
      'budget',
      '',
    ],
    compared.map(({ one, calls }) => {
      const { loadMs = 0, totalMs = 0, alikeMs = 0 } = measured.get(one) ?? {};
      const { ratio, reason = '' } = coldExceptions[one.name] ?? {
        ratio: one.isWaitedFor ? coldRatios.waiting : coldRatios.others,
      };
      const kb = Math.round(one.bundle.bytes / 1024);
      return [
        ...[one.name, one.times, round(loadMs), round(totalMs), named(calls)],
        ...[
          round(totalMs / alikeMs, 2),
          ratio,
          `${verdict(true, round(totalMs / alikeMs, 2) <= ratio)} ${reason}`.trim(),
        ],
        ...[kb, String(bundleKb), bundleExceptions[one.id] ?? verdict(kb <= bundleKb)],
      ];
    }),
  );
  process.stdout.write(
    '  x alike: multiple of a bare handler that makes as many calls to the same services.\n',
  );
}

const named = ([table, secret, mail, execution]: Start['calls']) =>
  [
    ...[`${table}`, ...(secret ? ['secret'] : [])],
    ...[...(mail ? ['mail'] : []), ...(execution ? ['execution'] : [])],
  ].join(' + ');
