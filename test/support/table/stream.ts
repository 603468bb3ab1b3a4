import { randomInt } from 'node:crypto';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { Key } from '../../../functions/shared/contract/keys.ts';

/** The event with which the stream of the table tells of new items. */
export function streamEvent(keys: readonly Key[]): DynamoDBStreamEvent {
  const first = randomInt(2 ** 40);
  return {
    Records: keys.map(({ pk, sk }, i) => ({
      eventID: String(first + i),
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventVersion: '1.1',
      awsRegion: 'eu-west-1',
      eventSourceARN: 'arn:aws:dynamodb:eu-west-1:000000000000:table/test/stream/test',
      dynamodb: {
        Keys: { pk: { S: pk }, sk: { S: sk } },
        SequenceNumber: String(first + i),
        SizeBytes: pk.length + sk.length,
        StreamViewType: 'KEYS_ONLY',
      },
    })),
  };
}
