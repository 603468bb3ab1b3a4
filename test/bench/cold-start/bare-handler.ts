import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Round trips in sequence, each with its number of concurrent reads; one read by default. */
export interface BareEvent {
  waves?: number[];
}

/** The baseline: the SDK, a read, and no code of the suite. */
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
