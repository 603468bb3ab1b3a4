import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { limitAttempts } from '../runtime/attempt-limit.ts';
import { secondMs } from '../runtime/clock.ts';
import { limitConcurrency } from '../runtime/concurrency-limit.ts';

/**
 * More than a request needs at once. A batch of events of many applications, and the local stack, which serves all callers
 * from one process, come to thousands: they wait here, where a wait is no timeout.
 */
const maxConcurrentAttempts = 50;

/**
 * The client of the process. An attempt takes at most 2 seconds to the headers and 3 seconds to the end of the body.
 * The SDK waits at most 0.05 seconds before the second and 0.1 before the third, after throttling 1 and 2 seconds. So
 * three attempts that stall take at most 9.2 seconds.
 *
 * The functions of routes and the tasks of the state machine have 25 seconds (`lib/deployment/constructs/service-function.ts`); a
 * timer with a schedule has longer (`lib/deployment/stacks/service-stack.ts`). A call that fails ends the request. So two calls in
 * a row may use all their attempts, 18.4 seconds, and the function still answers. Concurrent calls count once.
 *
 * Without `throwOnRequestTimeout` the SDK only logs a warning.
 */
export const dynamodb = DynamoDBDocumentClient.from(
  limitConcurrency(
    limitAttempts(
      new DynamoDBClient({
        maxAttempts: 3,
        requestHandler: {
          connectionTimeout: 1_000,
          requestTimeout: 2_000,
          throwOnRequestTimeout: true,
          // Waiting for a socket would count as connecting.
          httpAgent: { maxSockets: maxConcurrentAttempts },
          httpsAgent: { maxSockets: maxConcurrentAttempts },
        },
      }),
      3 * secondMs,
    ),
    maxConcurrentAttempts,
  ),
  { marshallOptions: { removeUndefinedValues: true } },
);

// Without a logger, the SDK still prepares every response for one: a sixth of the processor time of a large page.
dynamodb.middlewareStack.remove('loggerMiddleware');
