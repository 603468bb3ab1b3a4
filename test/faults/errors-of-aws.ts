import type { CallName } from './kinds.ts';

/** A response as a request handler of the SDK returns it. */
export interface ServiceResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: unknown;
}

const json = (body: object): ServiceResponse => ({
  statusCode: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(body)),
});

/**
 * The answer of a service that throttles.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export function throttling({ service }: CallName): ServiceResponse {
  if (service === 'mail') {
    const text =
      '<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type><Code>Throttling</Code>' +
      '<Message>Maximum sending rate exceeded.</Message></Error><RequestId>none</RequestId></ErrorResponse>';
    return { statusCode: 400, headers: { 'content-type': 'text/xml' }, body: Buffer.from(text) };
  }
  if (service === 'machine')
    return json({ __type: 'com.amazonaws.swf.base.model#ThrottlingException', message: 'Rate exceeded' });
  return json({
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  });
}

/**
 * The answer of DynamoDB to a write of an item that a transaction is writing.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 *
 * @param writes number of writes in the transaction.
 */
export function inConflict({ operation }: CallName, writes: number): ServiceResponse {
  if (operation !== 'TransactWriteItems')
    return json({
      __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
      message: 'Transaction is ongoing for the item',
    });
  const CancellationReasons = Array.from({ length: writes }, (_, i) =>
    i === 0
      ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }
      : { Code: 'None' },
  );
  return json({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons,
  });
}

/** The error of a request that never arrives, as `NodeHttpHandler` rejects. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { name: 'TimeoutError', code: 'ECONNRESET' });
}

/** The error of a request that is not answered in time. */
export function timedOut(): Error {
  return Object.assign(new Error('The request timed out'), { name: 'TimeoutError', code: 'ETIMEDOUT' });
}
