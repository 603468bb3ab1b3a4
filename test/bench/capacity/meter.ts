import type { Key } from '../../../functions/shared/contract/keys.ts';
import { sfn as stateMachine } from '../../../functions/shared/lambda/executions.ts';
import { ses as mail } from '../../../functions/shared/mail/mailer.ts';
import { dynamodb as table } from '../../../functions/shared/table/client.ts';
import { allSettled } from '../../support/faults.ts';
import { indexUnits, itemAt, writeUnits } from './item-size.ts';

/** The requests of a piece of work to the table, SES and Step Functions. */
export interface Meter {
  calls: number;
  /** Sequential round trips up to the first mail; concurrent calls count once. */
  roundTrips: number;
  /** The same, from the first mail on. */
  afterMail: number;
  /** Concurrent calls in each round trip. */
  waves: number[];
  mails: number;
  /** Requests to Step Functions. */
  starts: number;
  readUnits: number;
  /** As AWS documents them. */
  writeUnits: number;
  /** As the engine reports them. */
  reportedWriteUnits: number;
}

/** Concurrent calls. */
interface Wave {
  calls: Promise<unknown>[];
  toTable: boolean;
}

/** Counts the requests that `work` makes through the clients. */
export async function metered(work: () => Promise<unknown>): Promise<Meter> {
  const meter: Meter = {
    calls: 0,
    roundTrips: 0,
    afterMail: 0,
    waves: [],
    mails: 0,
    starts: 0,
    readUnits: 0,
    writeUnits: 0,
    reportedWriteUnits: 0,
  };
  let wave: Wave | undefined;

  /** Concurrent responses arrive together, as if all calls took equally long, so that only dependencies count. */
  const together = async <T>(call: Promise<T>, toTable: boolean): Promise<T> => {
    wave ??= { calls: [], toTable: false };
    const current = wave;
    if (toTable && !current.toTable) {
      meter[meter.mails > 0 ? 'afterMail' : 'roundTrips'] += 1;
      meter.waves.push(0);
    }
    if (toTable) meter.waves.push((meter.waves.pop() ?? 0) + 1);
    current.toTable ||= toTable;
    current.calls.push(call);
    await allSettled(current.calls);
    if (wave === current) wave = undefined;
    return call;
  };

  table.middlewareStack.add(
    (next, context) => (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      meter.calls += 1;
      return together(
        weighed(meter, String(context.commandName), args.input, () => next(args)),
        true,
      );
    },
    { step: 'initialize', name: 'meter' },
  );
  mail.middlewareStack.add(
    (next) => (args) => {
      const sending = together(next(args), false);
      meter.mails += 1;
      return sending;
    },
    { step: 'initialize', name: 'meter' },
  );
  stateMachine.middlewareStack.add(
    (next) => (args) => {
      meter.starts += 1;
      return together(next(args), false);
    },
    { step: 'initialize', name: 'meter' },
  );
  try {
    await work();
  } finally {
    stateMachine.middlewareStack.remove('meter');
    table.middlewareStack.remove('meter');
    mail.middlewareStack.remove('meter');
  }
  return meter;
}

/** A write in a transaction costs twice; its changes in the indexes cost once. */
async function weighed<T extends { output: object }>(
  meter: Meter,
  command: string,
  input: object,
  send: () => Promise<T>,
): Promise<T> {
  if (/^(Get|Query|BatchGet)/.test(command)) {
    const result = await send();
    meter.readUnits += reported(result.output);
    return result;
  }
  const keys = writtenKeys(input);
  const before = await Promise.all(keys.map(itemAt));
  try {
    const result = await send();
    meter.reportedWriteUnits += reported(result.output);
    return result;
  } finally {
    const after = await Promise.all(keys.map(itemAt));
    const times = 'TransactItems' in input ? 2 : 1;
    before.forEach((item, i) => {
      meter.writeUnits += times * writeUnits(item, after[i]) + indexUnits(item, after[i]);
    });
  }
}

/** A transaction reports a list with one entry per table. */
function reported(output: object): number {
  const { ConsumedCapacity } = output as { ConsumedCapacity?: unknown };
  const reports = [ConsumedCapacity].flat().filter(Boolean) as { CapacityUnits?: number }[];
  return reports.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function writtenKeys(input: object): Key[] {
  const { TransactItems, Item, Key } = input as { TransactItems?: object[]; Item?: Key; Key?: Key };
  if (TransactItems) return TransactItems.flatMap((write) => Object.values(write).flatMap(writtenKeys));
  return [Item ?? Key].filter((key) => key !== undefined);
}
