import { sfn } from '../../../../../functions/shared/lambda/executions.ts';
import { hourMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { failTable, loseAnswers } from '../../../../support/faults.ts';
import type { Receiver } from '../../../../support/webhooks/receiver.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

let stage: WebhookStage;
let receiver: Receiver;
let webhookId: string;
beforeEach(async () => {
  stage = await webhookStage();
  receiver = await stage.receiver();
  ({ webhookId } = await stage.webhook(receiver));
});
afterEach(() => stage.stop());

/** Lets calls to Step Functions fail before or after they are made. @returns a function that restores them. */
function failStarts(when: 'before' | 'after', fails: (index: number) => boolean): () => void {
  const name = 'injected-start-fault';
  let index = 0;
  sfn.middlewareStack.add(
    (next) => async (args) => {
      index += 1;
      const isFaulty = fails(index - 1);
      if (isFaulty && when === 'before') throw new Error('killed');
      const result = await next(args);
      if (isFaulty) throw new Error('killed');
      return result;
    },
    { step: 'initialize', name },
  );
  return () => sfn.middlewareStack.remove(name);
}

/** Every event has come, and every delivery is done. */
async function expectAllDelivered(eventIds: readonly string[]) {
  for (let i = 0; i < 4; i += 1) {
    await stage.advanceBy(hourMs);
    await stage.sweep();
  }
  expect([...new Set(receiver.received.map(({ id }) => id))].sort()).toEqual([...eventIds].sort());
  for (const eventId of eventIds)
    expect(await stage.delivery(webhookId, eventId)).toMatchObject({ status: 'succeeded' });
}

// The reads of the groups and webhooks, two deliveries, the list, its transaction, and some more.
const calls = Array.from({ length: 8 }, (_, i) => i);

/** Kills a process before or after a call to the table, with all calls that follow, or with `lasting` of them. */
function killedAt(when: 'before' | 'after', at: number, lasting = Number.POSITIVE_INFINITY) {
  const isDead = (index: number) => index >= at && index < at + lasting;
  if (when === 'after') return loseAnswers((_, index) => isDead(index));
  return failTable((_, index) => (isDead(index) ? new Error('killed') : undefined));
}
const deaths = calls.flatMap((at) => (['before', 'after'] as const).map((when) => [when, at] as const));

describe('the fan-out', () => {
  test.each(deaths)('that dies %s call %d to the table loses nothing', async (when, at) => {
    const { key, eventIds } = await stage.record([anEvent(1), anEvent(2)]);
    const fault = killedAt(when, at);
    await stage.fanOut([key]).catch(() => undefined);
    fault.restore();
    await expectAllDelivered(eventIds);
  });

  test.each(['before', 'after'] as const)(
    'that dies %s it starts an execution loses nothing',
    async (when) => {
      const { key, eventIds } = await stage.record([anEvent(1), anEvent(2)]);
      const restore = failStarts(when, () => true);
      expect(await stage.fanOut([key])).toHaveLength(1);
      restore();
      await expectAllDelivered(eventIds);
    },
  );
});

describe('an attempt', () => {
  /** Two events, the first attempts of which run when the stage settles. */
  async function handedOn() {
    const { key, eventIds } = await stage.record([anEvent(1), anEvent(2)]);
    expect(await stage.fanOut([key])).toEqual([]);
    return eventIds;
  }

  test.each(deaths)(
    'that dies %s call %d to the table loses nothing, and notes each attempt once',
    async (when, at) => {
      const eventIds = await handedOn();
      const fault = killedAt(when, at, when === 'before' ? 4 : 1);
      await stage.settle();
      fault.restore();
      await expectAllDelivered(eventIds);
      if (when === 'before') return;
      for (const eventId of eventIds)
        expect((await stage.delivery(webhookId, eventId))?.attempts).toHaveLength(1);
    },
  );

  test.each(['before', 'after'] as const)(
    'that dies %s it hands over loses nothing, and no more than one execution takes over',
    async (when) => {
      receiver.behave((response) => response.writeHead(receiver.received.length <= 2 ? 500 : 200).end());
      // The first start is that of the first attempt, which may run at once.
      const restore = failStarts(when, (index) => index === 1);
      const eventIds = await handedOn();
      await stage.settle();
      restore();
      await stage.advanceBy(minuteMs);
      // The run that is tried again makes the next attempt itself when that is due by then.
      expect(stage.executions().length).toBeLessThanOrEqual(1);
      await expectAllDelivered(eventIds);
      expect(receiver.received).toHaveLength(4);
    },
  );

  test('that runs twice at the same time notes one attempt, and one execution takes over', async () => {
    receiver.behave((response) => response.writeHead(receiver.received.length <= 4 ? 500 : 200).end());
    const { key, eventIds } = await stage.record([anEvent(1), anEvent(2)]);
    await Promise.all([stage.fanOut([key]), stage.fanOut([key])]);
    await stage.settle();
    for (const eventId of eventIds)
      expect(await stage.delivery(webhookId, eventId)).toMatchObject({ made: 1 });
    expect(stage.executions()).toHaveLength(1);
    await expectAllDelivered(eventIds);
  });
});

describe('the sweep', () => {
  test('leaves alone what is not overdue, and what another execution will attempt', async () => {
    receiver.behave((response) => response.writeHead(500).end());
    const { key } = await stage.record([anEvent()]);
    await stage.fanOut([key]);
    await stage.settle();
    await stage.sweep();
    await stage.advanceBy(minuteMs);
    await stage.sweep();
    expect(stage.executions()).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
  });

  test('that runs twice at the same time starts one execution', async () => {
    const { key } = await stage.record([anEvent()]);
    const restore = failStarts('before', () => true);
    await stage.fanOut([key]);
    restore();
    await stage.advanceBy(hourMs);
    await Promise.all([stage.sweep(), stage.sweep()]);
    await stage.settle();
    expect(receiver.received).toHaveLength(1);
    expect(stage.executions()).toHaveLength(1);
  });
});
