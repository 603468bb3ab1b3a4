import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registeredRoutes } from '../../../functions/routes.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { bundleFunctions } from '../../../lib/bundle.ts';
import { geoDirectory, writeGeoLayer } from '../../../lib/geo/layer.ts';
import { proxyEvent } from '../../support/call.ts';
import { bundleExceptions, bundleKb, coldRatio } from '../budgets.ts';
import { metered } from '../capacity/meter.ts';
import { everyDay } from '../cases/all.ts';
import { prepared } from '../cases/prepare.ts';
import { printTable, round, verdict } from '../print.ts';
import { type Candidate, type Start, start, startInTurn } from './starts.ts';
import { type Yardsticks, yardsticks } from './yardsticks.ts';

/** Starts of each function, and of those that only operators call, where latency matters less. */
const starts = { usual: 21, operator: 7 };

/** A function of the suite. */
interface Ours extends Candidate {
  id: string;
  /** Without a budget, because it opens files on its first use of them. */
  lazily?: true;
}

/** Bundles every function as the deployment does, then starts each in new processes, in turn with the bare handlers. */
export async function benchCold(chosen: (id: string) => boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'vouchsafe-bench-'));
  try {
    const baselines = await yardsticks(join(directory, 'bare'));
    const suite = (await functions(join(directory, 'ours'))).filter(({ id }) => chosen(id));
    const compared = [];
    for (const one of suite) {
      const { calls } = await start(one);
      compared.push({ one, calls, alike: baselines.alike(calls, await wavesOf(one)) });
    }
    const all = [...baselines.bare, ...suite, ...new Set(compared.map(({ alike }) => alike))];
    print(baselines, compared, await startInTurn(all, starts.usual));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function functions(directory: string): Promise<Ours[]> {
  const bundles = new Map((await bundleFunctions(directory)).map((bundle) => [bundle.id, bundle]));
  const candidate = (id: string, times: number, event: Candidate['event']): Ours => {
    const bundle = bundles.get(id);
    if (bundle === undefined) throw new Error(`${id} was not bundled`);
    return { id, name: id, bundle, times, event };
  };
  const routes = registeredRoutes().map((entry) =>
    candidate(entry.id, entry.route.auth === 'operator' ? starts.operator : starts.usual, async () =>
      proxyEvent(entry, await everyDay(entry.id).ready()),
    ),
  );
  const timers = registeredTimers().map(({ id }) =>
    candidate(id, starts.usual, async () => (await everyDay(id).ready())?.body ?? {}),
  );
  await writeGeoLayer();
  return [...routes.flatMap((one) => (usesGeo(one.id) ? [one, located(one)] : [one])), ...timers];
}

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
  return {
    ...one,
    event: elsewhere,
    name: `${one.id}, located`,
    env: { GEO_DIR: geoDirectory },
    lazily: true,
  };
}

/** The calls to the table by round trip, in a process that has cached no secret of an application or operator. */
async function wavesOf({ id }: Ours): Promise<number[]> {
  const handle = await prepared({ ...everyDay(id), secret: 'new' });
  return (await metered(handle)).waves;
}

function print(
  { bare }: Yardsticks,
  compared: { one: Ours; calls: Start['calls']; alike: Candidate }[],
  measured: Awaited<ReturnType<typeof startInTurn>>,
): void {
  const [yardstick] = bare;
  const totalOf = (candidate: Candidate | undefined) =>
    (candidate && measured.get(candidate)?.totalMs) ?? Number.NaN;
  const figures = (candidate: Candidate) => [
    candidate.times ?? starts.usual,
    round(measured.get(candidate)?.loadMs ?? Number.NaN),
    round(totalOf(candidate)),
    round(totalOf(candidate) / totalOf(yardstick), 2),
  ];
  const kbOf = ({ bundle }: Candidate) => Math.round(bundle.bytes / 1024);
  printTable(
    `Cold start: loading and first call in a fresh process, lower quartile of ${starts.usual}; bundle size`,
    [
      'function',
      'starts',
      'load ms',
      'with first call',
      'x bare',
      'budget',
      '',
      'calls',
      'x alike',
      'KB',
      'budget',
      '',
    ],
    [
      ...bare.map((one) => [one.name, ...figures(one), '-', '', '', 1, kbOf(one), '-', '']),
      ...compared.map(({ one, calls, alike }) => [
        ...[one.name, ...figures(one)],
        ...(one.lazily
          ? ['-', 'lazily']
          : [String(coldRatio), verdict(totalOf(one) / totalOf(yardstick) <= coldRatio)]),
        ...[named(calls), round(totalOf(one) / totalOf(alike), 2), kbOf(one)],
        ...[String(bundleKb), bundleExceptions[one.id] ?? verdict(kbOf(one) <= bundleKb)],
      ]),
    ],
  );
  process.stdout.write(
    [
      '  x alike: multiple of a bare handler that makes as many calls to the same services.',
      `  Functions that only operators call are started ${starts.operator} times.\n`,
    ].join('\n'),
  );
}

const named = ([table, secret, mail, execution]: Start['calls']) =>
  [
    ...[`${table}`, ...(secret ? ['secret'] : [])],
    ...[...(mail ? ['mail'] : []), ...(execution ? ['execution'] : [])],
  ].join(' + ');
