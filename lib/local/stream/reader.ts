import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { defined } from '../../../functions/shared/contract/defined.ts';

/** The point up to which a stream has been read. */
export interface StreamPosition {
  streamArn: string;
  shardId: string;
  /** The last record; absent at the beginning of the shard. */
  sequenceNumber?: string;
}

export interface PositionedRecord {
  record: _Record;
  position: StreamPosition;
}

/** As many as DynamoDB returns at once. */
const pageSize = 1_000;

/**
 * Reads a stream in order, one shard after the other. A shard that follows another begins where that one was closed: the
 * embedded engine has one shard, DynamoDB Local closes its shard after some hours and opens the next.
 */
export class StreamReader {
  readonly #client: DynamoDBStreamsClient;
  readonly #streamArn: string;
  #position: StreamPosition | undefined;
  #iterator: string | undefined;

  /** @param position where to continue; undefined begins with the oldest record, and so does a position of another stream. */
  constructor(client: DynamoDBStreamsClient, streamArn: string, position: StreamPosition | undefined) {
    this.#client = client;
    this.#streamArn = streamArn;
    this.#position = position?.streamArn === streamArn ? position : undefined;
  }

  /** The next records; none at the present end of the stream. */
  async read(): Promise<PositionedRecord[]> {
    for (;;) {
      try {
        const iterator = this.#iterator ?? (await this.#open());
        if (iterator === undefined) return [];
        const { Records = [], NextShardIterator } = await this.#client.send(
          new GetRecordsCommand({ ShardIterator: iterator, Limit: pageSize }),
        );
        this.#iterator = NextShardIterator;
        const records = this.#positioned(Records);
        this.#position = records.at(-1)?.position ?? this.#position;
        const isClosed = NextShardIterator === undefined;
        if (records.length > 0 || !isClosed || !(await this.#moveToNextShard())) return records;
      } catch (error) {
        this.#iterator = undefined;
        // A position that was trimmed begins again where the stream does.
        if (error instanceof TrimmedDataAccessException) this.#position = undefined;
        else if (!(error instanceof ExpiredIteratorException)) throw error;
      }
    }
  }

  #positioned(records: readonly _Record[]): PositionedRecord[] {
    const at = { streamArn: this.#streamArn, shardId: this.#position?.shardId ?? '' };
    return records.map((record) => {
      const sequenceNumber = record.dynamodb?.SequenceNumber;
      return { record, position: { ...at, ...defined({ sequenceNumber }) } };
    });
  }

  /** An iterator at the position; undefined when the stream has no shard yet. */
  async #open(): Promise<string | undefined> {
    const shards = await this.#shards();
    const known = shards.find(({ ShardId }) => ShardId === this.#position?.shardId);
    const shardId = (known ?? shards[0])?.ShardId;
    if (shardId === undefined) return undefined;
    if (known === undefined) this.#position = { streamArn: this.#streamArn, shardId };
    const after = this.#position?.sequenceNumber;
    const { ShardIterator } = await this.#client.send(
      new GetShardIteratorCommand({
        StreamArn: this.#streamArn,
        ShardId: shardId,
        ShardIteratorType: after === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
        ...defined({ SequenceNumber: after }),
      }),
    );
    return ShardIterator;
  }

  async #moveToNextShard(): Promise<boolean> {
    const shards = await this.#shards();
    const index = shards.findIndex(({ ShardId }) => ShardId === this.#position?.shardId);
    const shardId = shards[index + 1]?.ShardId;
    if (shardId === undefined) return false;
    this.#position = { streamArn: this.#streamArn, shardId };
    return true;
  }

  async #shards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const page = { StreamArn: this.#streamArn, ...defined({ ExclusiveStartShardId: last }) };
      const { StreamDescription } = await this.#client.send(new DescribeStreamCommand(page));
      shards.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    return shards;
  }
}
