import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';

/** The properties of every function, unless its overrides replace them. */
const defaults = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  // CPU is proportional to memory: one core at 1,769 MB. The handlers need about 100 MB, but the first request makes
  // the TLS handshake with DynamoDB, which is CPU-bound: twice as long at 512 MB, hardly shorter at 1,769 MB.
  memorySize: 1024,
  // Shorter than the 29 seconds that API Gateway waits, so that the function itself reports what failed.
  timeout: Duration.seconds(25),
  // The functions write JSON, which Lambda passes on unchanged; with this the lines of the platform are JSON too.
  loggingFormat: LoggingFormat.JSON,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
} satisfies Partial<FunctionProps>;

export interface ServiceFunctionProps {
  /** The directory of the bundle. */
  readonly directory: string;
  readonly functionName: string;
  readonly description: string;
  readonly service: string;
  readonly stage: StageSettings;
  /** Added to the variables of every function. */
  readonly environment: Record<string, string>;
  readonly permissions: PolicyStatement[];
  readonly overrides?: Partial<FunctionProps>;
}

/**
 * A Lambda function with its own log group and its own role. The policy is part of the role: a separate policy would
 * be a fourth resource of each function.
 */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { directory, functionName, description, service, stage, environment, permissions, overrides } =
      props;
    const logGroup = new LogGroup(this, 'Log', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const writeLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Grants: new PolicyDocument({ statements: [writeLog, ...permissions] }) },
    });
    this.function = new LambdaFunction(this, 'Function', {
      ...defaults,
      functionName,
      code: Code.fromAsset(directory),
      description,
      logGroup,
      // Immutable, so that CDK does not add the managed policy, which allows to write every log of the account.
      role: role.withoutPolicyUpdates(),
      environment: {
        POWERTOOLS_SERVICE_NAME: service,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(stage),
        POWERTOOLS_LOG_LEVEL: 'INFO',
        ...environment,
      },
      ...overrides,
    });
  }
}

/** The CloudWatch namespace of the functions' own metrics: one for each stage, which separates the stages. */
export function metricsNamespace(stage: StageSettings): string {
  return `Vouchsafe/${stage.name}`;
}

/**
 * Permission to query an index, within the partitions that start with one of the prefixes. Without prefixes it covers
 * every partition, for an index with unguessable ids as partition keys.
 */
export function indexPermission(indexArn: string, prefixes: readonly string[]): PolicyStatement {
  const leadingKeys = prefixes.map((prefix) => `${prefix}#*`);
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ['dynamodb:Query'],
    resources: [indexArn],
    conditions:
      leadingKeys.length > 0 ? { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } } : {},
  });
}

/** Permission for `actions` on items of the table whose partition key starts with `prefix`, and on no others. */
export function itemPermission(
  tableArn: string,
  prefix: string,
  actions: readonly string[],
): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [tableArn],
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${prefix}#*`] } },
  });
}
