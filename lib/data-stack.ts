import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { dueAttributes, indexes, tableSchema } from '../functions/shared/contract/keys.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

/** What must never be lost, apart from what is deployed every day. */
export class DataStack extends Stack {
  readonly table: TableV2;
  /** What the keys of this deployment are derived from: those that codes and proofs are hashed with. */
  readonly deploymentKey: Secret;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      localSecondaryIndexes: [{ indexName: 'byStatus', sortKey: text(indexes.byStatus.sortKey) }],
      globalSecondaryIndexes: [
        {
          indexName: 'queue',
          partitionKey: text(indexes.queue.partitionKey),
          sortKey: text(indexes.queue.sortKey),
        },
        {
          indexName: 'byLink',
          partitionKey: text(indexes.byLink.partitionKey),
          projectionType: ProjectionType.KEYS_ONLY,
        },
        {
          indexName: 'due',
          partitionKey: text(indexes.due.partitionKey),
          sortKey: text(indexes.due.sortKey),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...dueAttributes],
        },
      ],
      timeToLiveAttribute: tableSchema.timeToLive,
      billing: Billing.onDemand(),
      // A key that AWS owns: no request to KMS and no bill. What callers keep secret arrives encrypted with keys
      // that never come here, so a key of the account would guard little more.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.deploymentKey = new Secret(this, 'DeploymentKey', {
      description:
        'Keys of codes and proofs are derived from it. Replaced, every vault would be locked for good.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.deploymentKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Proofs of the master password are hashed with it: rotated, no user could open his vault any more.',
    });
  }
}
