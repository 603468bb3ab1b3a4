import { stageSettings } from '../../../lib/deployment/stages.ts';
import { synthesize } from '../../support/deployment/deployment.ts';
import { round } from '../print.ts';
import { billedSeconds, memoryGigabytes, prices } from './prices.ts';

// biome-ignore lint/suspicious/noExplicitAny: templates have any shape.
type Json = any;
type Line = [what: string, count: number, dollars: number];

const minutesPerMonth = 730 * 60;
/** Log lines of one run of a timer: those of the platform and one record. Assumed, not measured. */
const logBytesPerRun = 2_000;
/** A timer without work queries the four partitions of the index `due`, each for half a read unit. */
const idleRun = { roundTrips: 1, readUnits: 2 };

/** Resource types without a price of their own while there are no requests. */
const freeTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::RestApi',
  'AWS::CloudFormation::Stack',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  // On demand; storage and backups are billed by the GB.
  'AWS::DynamoDB::GlobalTable',
  'AWS::IAM::Role',
  // A mapping that reads a stream of DynamoDB makes its calls free of charge.
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Alias',
  'AWS::Lambda::Function',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  // Logs are billed by volume.
  'AWS::Logs::LogGroup',
  'AWS::SES::ConfigurationSet',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  // Billed by the request.
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::StepFunctions::StateMachine',
  'AWS::WAFv2::WebACLAssociation',
]);

/** The monthly cost of a stage without requests, by line item. */
export function idleLines(stage: string): Line[] {
  const { templates } = synthesize({ ...stageSettings(stage), alarmEmail: 'alarms@example.com' });
  return idleCost([...templates.values()].flatMap(({ json }) => Object.values<Json>(json.Resources)));
}

/**
 * The cost by line item.
 *
 * @throws when a resource has a type whose price is not known here.
 */
export function idleCost(resources: readonly Json[]): Line[] {
  const ofType = (type: string): Json[] =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const alarmMetrics = sum(ofType('AWS::CloudWatch::Alarm').map(billedMetrics));
  const customMetrics = sum(
    ofType('AWS::Logs::MetricFilter').map((filter) => filter.MetricTransformations.length),
  );
  const dashboards = ofType('AWS::CloudWatch::Dashboard').length;
  const secrets = ofType('AWS::SecretsManager::Secret').length;
  const webAcls = ofType('AWS::WAFv2::WebACL');
  const webAclRules = sum(webAcls.map(({ Rules }) => Rules.length));
  const runs = sum(ofType('AWS::Events::Rule').map((rule) => runsPerMonth(rule.ScheduleExpression)));
  checkTypes(resources);
  return [
    ['alarms (metrics)', alarmMetrics, alarmMetrics * prices.alarmMetric],
    ['custom metrics', customMetrics, customMetrics * prices.customMetric],
    ['dashboards', dashboards, dashboards * prices.dashboard],
    ['secrets', secrets, secrets * prices.secret],
    ['web ACLs', webAcls.length, webAcls.length * prices.webAcl],
    ['rules of web ACLs', webAclRules, webAclRules * prices.webAclRule],
    ['runs of timers', runs, runs * runDollars()],
    ['logs of these runs (MB)', round((runs * logBytesPerRun) / 1e6), logDollars(runs * logBytesPerRun)],
  ];
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** CloudWatch bills an alarm by its metrics; an expression is none. */
function billedMetrics({ Metrics }: Json): number {
  if (Metrics === undefined) return 1;
  return Metrics.filter(({ MetricStat }: Json) => MetricStat !== undefined).length;
}

/** @throws when the expression is not a rate. */
function runsPerMonth(expression: string): number {
  const [, value, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = { minute: 1, hour: 60, day: 24 * 60 }[unit ?? ''];
  if (minutes === undefined) throw new Error(`${expression} is not a rate`);
  return Math.round(minutesPerMonth / (Number(value) * minutes));
}

function runDollars(): number {
  const seconds = billedSeconds({ roundTrips: idleRun.roundTrips, mails: 0, starts: 0 });
  const lambda = prices.invocation + seconds * memoryGigabytes * prices.gigabyteSecond;
  return lambda + idleRun.readUnits * prices.readUnit;
}

function logDollars(bytes: number): number {
  return (bytes / 1e9) * (prices.logIngestedGigabyte + prices.logStoredGigabyte);
}

/** A resource that is not priced would be missing from the sum. */
function checkTypes(resources: readonly Json[]): void {
  const priced = new Set([
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::Events::Rule',
    'AWS::Logs::MetricFilter',
    'AWS::SecretsManager::Secret',
    'AWS::WAFv2::WebACL',
  ]);
  for (const { Type, Properties } of resources) {
    if (Type === 'AWS::ApiGateway::Stage') checkStage(Properties);
    else if (!priced.has(Type) && !freeTypes.has(Type)) throw new Error(`The price of ${Type} is not known`);
  }
}

/** A stage is free, but detailed metrics and a cache are not. */
function checkStage({ MethodSettings = [], CacheClusterEnabled }: Json): void {
  const detailed = MethodSettings.some(({ MetricsEnabled }: Json) => MetricsEnabled);
  if (detailed || CacheClusterEnabled)
    throw new Error('The price of detailed metrics or of a cache is not known');
}
