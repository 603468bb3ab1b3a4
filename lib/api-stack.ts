import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type Registered, registeredRoutes } from '../functions/routes.ts';
import type { KeyPrefix } from '../functions/shared/keys.ts';
import type { Bundle } from './bundle.ts';
import { functionAlarms, gatewayAlarm } from './constructs/alarms.ts';
import { addDashboard } from './constructs/dashboard.ts';
import { Gateway } from './constructs/gateway.ts';
import { HouseFunction, itemPermission } from './constructs/house-function.ts';
import type { StageSettings } from './stages.ts';

export interface ApiStackProps extends StackProps {
  readonly stage: StageSettings;
  readonly table: TableV2;
  /** One for each route. */
  readonly bundles: readonly Pick<Bundle, 'id' | 'directory'>[];
  readonly registry?: readonly Registered[];
}

/** All that has no state: for each route a function with its grants and alarms, and the API in front of them. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { stage, table, registry = registeredRoutes() } = props;
    const directories = new Map(props.bundles.map((bundle) => [bundle.id, bundle.directory]));
    const alarms: Alarm[] = [];
    const functions = registry.map((entry) => {
      const house = this.addFunction(entry, directories.get(entry.id), stage, table);
      alarms.push(...functionAlarms(house, entry, house.function, stage));
      return { entry, function: house.function };
    });
    const { api } = new Gateway(this, 'Gateway', {
      stage,
      registry,
      functions: new Map(functions.map(({ entry, function: target }) => [entry.id, target])),
    });
    alarms.push(gatewayAlarm(this, api, stage));
    addDashboard(this, 'Dashboard', { stage, api, table, functions });
    if (stage.alarmEmail !== undefined) this.notify(stage.alarmEmail, alarms);
    new CfnOutput(this, 'Url', { value: stage.domain ? `https://${stage.domain.name}/` : api.url });
  }

  private addFunction(
    { id, service, name, route }: Registered,
    directory: string | undefined,
    stage: StageSettings,
    table: TableV2,
  ): HouseFunction {
    if (directory === undefined) throw new Error(`${id} has no bundle`);
    const permissions = tablePermissions(route, table);
    return new HouseFunction(this, `${service}-${name}`, {
      directory,
      description: `${route.method} ${route.path}: ${route.summary}`.slice(0, 256),
      service,
      stage,
      permissions,
      environment: {
        ...(permissions.length > 0 && { TABLE_NAME: table.tableName }),
        ...(route.cors && { ALLOWED_ORIGINS: JSON.stringify(stage.allowedOrigins) }),
        ...(route.grants.files && { FILES_DIR: '/var/task' }),
      },
    });
  }

  private notify(email: string, alarms: readonly Alarm[]): void {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  }
}

/** What a route is granted, by key prefix; the rate limiter's write comes with the limit. */
function tablePermissions({ grants, limit }: Registered['route'], table: TableV2): PolicyStatement[] {
  const limiter: Partial<Record<KeyPrefix, readonly string[]>> =
    limit === undefined ? {} : { RATE: ['UpdateItem'] };
  return [grants.table ?? {}, limiter].flatMap((byPrefix) =>
    Object.entries(byPrefix).map(([prefix, actions]) => itemPermission(table.tableArn, prefix, actions)),
  );
}
