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

/** A record and the position after it. */
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
      const iterator = this.#iterator ?? (await this.#open());
      const page = iterator === undefined ? undefined : await this.#page(iterator);
      if (page === undefined) {
        if (iterator === undefined) return [];
        continue;
      }
      const shardId = this.#position?.shardId ?? '';
      this.#iterator = page.next;
      const records = page.records.map((record) => {
        const sequenceNumber = record.dynamodb?.SequenceNumber;
        const position = { streamArn: this.#streamArn, shardId, ...defined({ sequenceNumber }) };
        return { record, position };
      });
      this.#position = records.at(-1)?.position ?? this.#position;
      const isClosed = page.next === undefined;
      const moves = isClosed && (await this.#moveToNextShard());
      if (records.length > 0 || !moves) return records;
    }
  }

  /** @returns undefined when the position is no longer valid; the next attempt begins where the stream does. */
  async #page(iterator: string): Promise<{ records: _Record[]; next: string | undefined } | undefined> {
    try {
      const { Records = [], NextShardIterator } = await this.#client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: pageSize }),
      );
      return { records: Records, next: NextShardIterator };
    } catch (error) {
      this.#iterator = undefined;
      if (error instanceof ExpiredIteratorException) return undefined;
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      this.#position = undefined;
      return undefined;
    }
  }

  /** An iterator at the position; undefined when the stream has no shard yet. */
  async #open(): Promise<string | undefined> {
    const shards = await this.#shards();
    const known = shards.some(({ ShardId }) => ShardId === this.#position?.shardId);
    const shardId = known ? this.#position?.shardId : shards[0]?.ShardId;
    if (shardId === undefined) return undefined;
    if (!known) this.#position = { streamArn: this.#streamArn, shardId };
    const after = this.#position?.sequenceNumber;
    const point = {
      StreamArn: this.#streamArn,
      ShardId: shardId,
      ShardIteratorType: after === undefined ? ('TRIM_HORIZON' as const) : ('AFTER_SEQUENCE_NUMBER' as const),
      ...defined({ SequenceNumber: after }),
    };
    try {
      const { ShardIterator } = await this.#client.send(new GetShardIteratorCommand(point));
      this.#iterator = ShardIterator;
      return ShardIterator;
    } catch (error) {
      if (!(error instanceof TrimmedDataAccessException)) throw error;
      this.#position = undefined;
      return this.#open();
    }
  }

  async #moveToNextShard(): Promise<boolean> {
    const shards = await this.#shards();
    const index = shards.findIndex(({ ShardId }) => ShardId === this.#position?.shardId);
    const shardId = shards[index + 1]?.ShardId;
    if (shardId === undefined) return false;
    this.#position = { streamArn: this.#streamArn, shardId };
    return true;
  }

  /** In the order in which they were opened. */
  async #shards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({
          StreamArn: this.#streamArn,
          ...defined({ ExclusiveStartShardId: last }),
        }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    return shards;
  }
}
