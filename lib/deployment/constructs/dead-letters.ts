import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName, type StageSettings } from '../stages.ts';

/**
 * The records that the consumers of the table's stream could not handle, for as long as SQS keeps a message. A message names a shard
 * and sequence numbers, and contains no item.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
export class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      queueName: deadLetterQueueName(stage),
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue itself.',
    });
  }
}
