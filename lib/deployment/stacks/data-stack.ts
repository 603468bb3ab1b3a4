import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { ConfigurationSet, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import {
  dueAttributes,
  indexes,
  listedAttributes,
  streamView,
  tableSchema,
} from '../../../functions/shared/contract/table-schema.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

const globalSecondaryIndexes: GlobalSecondaryIndexPropsV2[] = [
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
    indexName: 'byName',
    partitionKey: text(indexes.byName.partitionKey),
    sortKey: text(indexes.byName.sortKey),
    projectionType: ProjectionType.KEYS_ONLY,
  },
  {
    indexName: 'due',
    partitionKey: text(indexes.due.partitionKey),
    sortKey: text(indexes.due.sortKey),
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: [...dueAttributes],
  },
  {
    indexName: 'listed',
    partitionKey: text(indexes.listed.partitionKey),
    sortKey: text(indexes.listed.sortKey),
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: [...listedAttributes],
  },
];

export interface DataStackProps extends StackProps {
  /** The configuration set of SES that the mail of the stage names. */
  readonly configurationSetName: string;
}

/**
 * The data that must never be lost, separate from what is deployed every day.
 *
 * Its exports are declared here and not derived from their use: CloudFormation refuses to remove an export that is in
 * use, and no change of a function can make one disappear.
 */
export class DataStack extends Stack {
  readonly table: TableV2;
  /** The secret from which the keys of this deployment are derived, such as those for hashing codes and proofs. */
  readonly deploymentKey: Secret;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    this.table = new TableV2(this, 'Table', {
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      localSecondaryIndexes: [{ indexName: 'byStatus', sortKey: text(indexes.byStatus.sortKey) }],
      globalSecondaryIndexes,
      timeToLiveAttribute: tableSchema.timeToLive,
      dynamoStream: StreamViewType[streamView],
      billing: Billing.onDemand(),
      // A key that AWS owns costs nothing and needs no requests to KMS. Callers encrypt their secrets with keys that
      // never reach this service, so a key of the account would protect little more.
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.deploymentKey = new Secret(this, 'DeploymentKey', {
      description:
        'Keys for codes and proofs are derived from it. Replacing it locks every vault permanently.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.deploymentKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Proofs of the master password are hashed with it. After a rotation no user could open their vault.',
    });
    // Beside the data, because a function that names it must find it: this stack is deployed first. The list itself
    // belongs to the account and its region.
    new ConfigurationSet(this, 'Mail', {
      configurationSetName: props.configurationSetName,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    new CfnOutput(this, 'TableName', {
      description: 'The table: npm run operator -- bootstrap --table <table> --name <person>.',
      value: this.table.tableName,
    });
    const { tableArn, tableName, tableStreamArn } = this.table;
    for (const value of [tableArn, tableName, tableStreamArn, this.deploymentKey.secretArn]) {
      this.exportValue(value);
    }
  }
}
