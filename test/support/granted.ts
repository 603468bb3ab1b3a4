/**
 * Enforces grants as IAM does in a deployment: while a function runs, the table refuses calls that the
 * function is not granted. Every test of a handler therefore tests its grants.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { defined } from '../../functions/shared/contract/defined.ts';
import { callerGrants, type Grants } from '../../functions/shared/contract/grants.ts';
import type { Route } from '../../functions/shared/contract/route.ts';
import { dynamodb } from '../../functions/shared/table/client.ts';
import { prefixOf, tableCall } from './table/table-call.ts';

const running = new AsyncLocalStorage<{ id: string; grants: readonly Grants[] }>();

/** Runs work as the function with the id and grants. */
export function asFunction<T>(id: string, grants: readonly Grants[], work: () => T): T {
  return running.run({ id, grants }, work);
}

/** The grants of a route's function: its own, those of its authentication, and the write of the limiters. */
export function grantsOf(route: Route): Grants[] {
  const { grants, limit, byteLimit } = route;
  return [
    grants,
    ...callerGrants(route),
    ...(limit || byteLimit ? [{ table: { RATE: ['UpdateItem'] } } as const] : []),
  ];
}

/** A unit of IAM's authorization: an action on the items of one partition key, in the table or in an index. */
export interface Access {
  action: string;
  /** The partition key. */
  partition: string;
  index?: string;
}

dynamodb.middlewareStack.add(
  (next, context) => (args) => {
    const current = running.getStore();
    const refused =
      current &&
      accessesOf(String(context.commandName), args.input).find((one) => !isGranted(current.grants, one));
    if (refused === undefined) return next(args);
    const { action, partition, index = 'the table' } = refused;
    const message = `${current?.id} is not granted ${action} of ${prefixOf(partition)} on ${index}`;
    throw Object.assign(new Error(message), { name: 'AccessDeniedException' });
  },
  { step: 'initialize', name: 'granted', priority: 'low' },
);

/** IAM's StringLike of `prefix#*`, in which `*` matches any characters. */
const covers = (partitions: string, partition: string) =>
  partitions.endsWith('#*')
    ? prefixOf(partition) === prefixOf(partitions) && partition.split('#').length > 2
    : prefixOf(partition) === partitions;

/** Whether one of the grants allows the access. */
export function isGranted(grants: readonly Grants[], { action, partition, index }: Access): boolean {
  return grants.some(({ table = {}, indexes = {} }) => {
    if (index === undefined)
      return Object.entries(table).some(
        ([partitions, actions]) => covers(partitions, partition) && actions.includes(action as never),
      );
    // An index without prefixes has unguessable ids as partition keys.
    return Object.entries(indexes).some(
      ([i, prefixes]) =>
        i === index && (prefixes.length === 0 || prefixes.includes(prefixOf(partition) as never)),
    );
  });
}

/** The accesses of a call, as IAM authorizes them. */
export function accessesOf(command: string, input: object): Access[] {
  const { uses, index } = tableCall(command, input);
  return uses.map(({ action, pk }) => ({ action, partition: pk, ...defined({ index }) }));
}
