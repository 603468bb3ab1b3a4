import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Reads one after the other, each number so many side by side; one read when nothing is said. */
export interface BareEvent {
  waves?: number[];
}

/** The yardstick: the SDK, a read, and nothing of ours. */
export async function handler({ waves = [1] }: BareEvent): Promise<{ statusCode: number; body: string }> {
  const Key = { pk: 'absent', sk: 'absent' };
  for (const calls of waves) {
    await Promise.all(
      Array.from({ length: calls }, () =>
        client.send(new GetCommand({ TableName: process.env.TABLE_NAME ?? '', Key })),
      ),
    );
  }
  return { statusCode: 200, body: '' };
}
