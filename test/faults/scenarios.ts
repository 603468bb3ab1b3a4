import { registeredTimers } from '../../functions/timers.ts';
import { installDate } from '../../lib/local/clock.ts';
import { cases } from '../bench/cases/all.ts';
import type { Case } from '../bench/cases/case.ts';
import { call } from '../support/call.ts';
import { undocumented } from '../support/documentation/documented-answers.ts';
import { rulesFor } from './rules/all.ts';
import type { Answer, Scenario } from './scenario.ts';

/** Situations whose size matters to the benchmarks and not to faults: they make the same calls as smaller ones. */
const large = /\b(1|3) MiB|\b(10|11th|20|50|60|100|400|1,000)\b|sent again|reported again|used before/;
/** Longer than the lease of an entry of the outbox. */
const afterLeaseMs = 130_000;

/** Every route and timer, in the situations of the benchmarks that make different calls. */
export function allScenarios(): Scenario[] {
  return cases.filter(({ what }) => !large.test(what)).map(scenarioOf);
}

function scenarioOf({ id, what, ready, status, again, alone }: Case): Scenario {
  const isTimer = registeredTimers().some((timer) => timer.id === id);
  return {
    name: `${id}: ${what}`,
    id,
    // An answer that refuses a repeat alone is no success: the rules name it as `repeated`.
    statuses: [status, ...(again === undefined || again >= 400 ? [] : [again])],
    ready,
    send: (request, attempt) =>
      isTimer
        ? run(id, request.body, attempt)
        : later(attempt * (rulesFor(id, '').retryDelayMs ?? 0), () => call(id, request)),
    alone: alone === true || id === 'devices.send-alerts',
    rules: rulesFor(id, what),
    isDocumented: (answer) => isTimer || undocumented(id, answer) === undefined,
  };
}

/**
 * Runs a timer as its schedule, state machine or stream does: later again after an error, with the number of the attempt. The
 * stream hands over again what a consumer names as failed.
 */
async function run(id: string, input: unknown, attempt: number): Promise<Answer> {
  const [service = '', name = ''] = id.split('.');
  const { handler } = await import(`../../functions/${service}/${name}.ts`);
  return later(attempt * (rulesFor(id, '').retryDelayMs ?? afterLeaseMs), async () => {
    try {
      const body = await handler(input === undefined ? undefined : { ...input, retry: attempt });
      const text = JSON.stringify(body ?? null);
      return { status: body?.batchItemFailures?.length > 0 ? 500 : 200, headers: {}, body, text };
    } catch (error) {
      return { status: 500, headers: {}, body: undefined, text: String(error) };
    }
  });
}

/** Does something as if time had passed. */
async function later(ms: number, work: () => Promise<Answer>): Promise<Answer> {
  if (ms === 0) return work();
  const { now } = Date;
  const restore = installDate(() => now() + ms);
  return work().finally(restore);
}
