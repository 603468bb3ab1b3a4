import { performance } from 'node:perf_hooks';
import { registeredRoutes } from '../../functions/routes.ts';
import { client } from '../../functions/shared/table.ts';
import { handlerOf, proxyEvent } from '../support/call.ts';
import { samples } from '../support/samples.ts';
import { median, printTable, round } from './print.ts';

const rounds = 2_000;

/**
 * Warm handler time without the table: each command gets, at once, the answer that the engine gave to the same
 * command of the same request before.
 */
export async function benchWarm(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const entry of registeredRoutes()) {
    const handler = await handlerOf(entry);
    const request = (await samples[entry.id]?.()) ?? {};
    const remembered = new Map<string, unknown>();
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const command = String(context.commandName);
        const known = remembered.get(command);
        if (known !== undefined) return known as never;
        const result = await next(args);
        remembered.set(command, result);
        return result;
      },
      { step: 'initialize', name: 'remembered' },
    );
    const times: number[] = [];
    for (let i = 0; i < rounds; i += 1) {
      const event = proxyEvent(entry, request);
      const start = performance.now();
      const { statusCode } = await handler(event);
      times.push((performance.now() - start) * 1000);
      if (statusCode >= 400) throw new Error(`${entry.id} answered ${statusCode}`);
    }
    client.middlewareStack.remove('remembered');
    rows.push([entry.id, round(median(times), 0)]);
  }
  printTable(`Warm handler without the table, median of ${rounds}`, ['function', 'microseconds'], rows);
}
