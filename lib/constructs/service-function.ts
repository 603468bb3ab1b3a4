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

/** What every function has, unless it says otherwise. */
const defaults = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  // CPU comes with memory, 1,769 MB being one core. The handlers need some 100 MB, but a first request does
  // the TLS handshake with DynamoDB, which is all CPU: at 512 MB twice as long, at 1,769 hardly shorter.
  memorySize: 1024,
  // Less than the 29 seconds that API Gateway waits, so that the function itself says what failed.
  timeout: Duration.seconds(25),
  // The functions write JSON already, which Lambda takes as it is; this makes the platform's own lines JSON too.
  loggingFormat: LoggingFormat.JSON,
  applicationLogLevelV2: ApplicationLogLevel.INFO,
} satisfies Partial<FunctionProps>;

export interface ServiceFunctionProps {
  /** Of the bundle. */
  readonly directory: string;
  readonly description: string;
  readonly service: string;
  readonly stage: StageSettings;
  /** Beside what every function's environment has. */
  readonly environment: Record<string, string>;
  /** Beside writing its own log. */
  readonly permissions: PolicyStatement[];
  readonly overrides?: Partial<FunctionProps>;
}

/**
 * A Lambda function with a log group and a role of its own: defaults first, overrides last.
 *
 * The policy is part of the role: a policy of its own would cost one more of the stack's 500 resources.
 */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { directory, description, service, stage, environment, permissions, overrides } = props;
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
      code: Code.fromAsset(directory),
      description,
      logGroup,
      // Seen as immutable, it gets exactly the policy above and not the usual one for every log of the account.
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

/** Where a stage's functions count: by stage, so that failures of one do not raise the alarms of another. */
export function metricsNamespace(stage: StageSettings): string {
  return `Vouchsafe/${stage.name}`;
}

/** Leave to query an index, within partitions of those prefixes; an index without any is of ids that nobody guesses. */
export function indexPermission(indexArn: string, prefixes: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ['dynamodb:Query'],
    resources: [indexArn],
    ...(prefixes.length > 0 && {
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}#*`) },
      },
    }),
  });
}

/** Leave to do `actions` on items of `table` whose partition key starts with `prefix`, and on no others. */
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
